"""Reading evidence and answering from it: by quoting, by computing, and with the local model."""
