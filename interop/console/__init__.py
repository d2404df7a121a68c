"""The console's pages in a real browser, against the real daemon, with a real rust-nostr app behind it."""
