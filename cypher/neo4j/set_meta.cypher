// Records what the store's content follows.
// $values schema, ontology, embedding, dimensions, as far as they are news
MERGE (g:GraphMem {id: 'store'}) SET g += $values
