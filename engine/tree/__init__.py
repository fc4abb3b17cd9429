"""The abstract tree (Psi-RAG section 3.1) as a function of the maximum spanning tree. Pure: no I/O, no stores."""
