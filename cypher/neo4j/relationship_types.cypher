// Every relationship type that the database has seen, over all scopes (nobody's data is read).
CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType
