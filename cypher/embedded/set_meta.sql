-- Records one thing that the store says about itself.
-- :name which  :value what
INSERT INTO meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
