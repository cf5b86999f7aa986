// What the store says of itself: schema, ontology, embedding, dimensions.
MATCH (g:GraphMem {id: 'store'}) RETURN g.schema, g.ontology, g.embedding, g.dimensions
