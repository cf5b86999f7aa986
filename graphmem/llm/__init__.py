"""Language models behind one port: a client for any compatible endpoint, an extractor that fills gaps, a judge that rechecks."""
