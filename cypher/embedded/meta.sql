-- Everything that the store says about itself.
SELECT name, value FROM meta;
