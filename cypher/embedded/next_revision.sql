-- Draws the next number of the store-wide revision counter.
UPDATE meta SET value = value + 1 WHERE name = 'revision' RETURNING value;
