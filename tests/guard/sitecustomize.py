"""Loaded by Python itself in every child of a test run, since its folder is on PYTHONPATH: guards its sockets too."""

import socket_guard

socket_guard.install()
