"""The models Sheaf can use: what there is, how to fetch it, whether it is whole. Standard library only.

This package is the only place in the program that opens a connection.
"""
