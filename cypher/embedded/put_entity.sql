-- Inserts an entity or replaces it by id.
-- :user_id the scope  :id :name :kind :aliases JSON  :merged_into id or NULL
INSERT INTO entities (user_id, id, name, kind, aliases, merged_into) VALUES (:user_id, :id, :name, :kind, :aliases, :merged_into)
ON CONFLICT (user_id, id) DO UPDATE SET name = excluded.name, kind = excluded.kind, aliases = excluded.aliases,
  merged_into = excluded.merged_into;
