"""The local language model: one child process, loaded once, grammar-constrained, really cancellable."""
