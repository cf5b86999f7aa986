// Finds relationships of one type by id.
CREATE INDEX /*name*/ relationship_supports IF NOT EXISTS FOR ()-[r:/*type*/SUPPORTS]-() ON (r.user_id, r.id)
