"""What the tests stand on: the real daemon as a process, relays, and a bare relay connection."""
