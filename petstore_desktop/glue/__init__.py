"""What the window asks for, carried out: the ports of `ui` over sessions, files, preferences and the keyring."""
