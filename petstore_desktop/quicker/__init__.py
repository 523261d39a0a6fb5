"""What Python's standard library does too, only slower: a start has no time for it."""
