// Are the indexes ready and in use?
SHOW INDEXES YIELD name, type, state, populationPercent, labelsOrTypes, properties, lastRead
RETURN name, type, state, populationPercent AS percent, labelsOrTypes AS on, properties, lastRead
ORDER BY state DESC, name
