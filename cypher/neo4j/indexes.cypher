// The database's indexes with their state, labels, properties and settings.
SHOW INDEXES YIELD name, state, type, entityType, labelsOrTypes, properties, options RETURN name, state, type, entityType, labelsOrTypes, properties, options
