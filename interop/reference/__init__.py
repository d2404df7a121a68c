"""A second implementation of what the signer does, written from the standards' text alone.

The suite checks the daemon's answers against it; it shares no code with the daemon.
"""
