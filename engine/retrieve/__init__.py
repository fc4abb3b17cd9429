"""From a question to the segments that may answer it: routes, fusion, links, reranking."""
