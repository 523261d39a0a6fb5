"""Makes the folder that needs no Python, and checks what is in it."""
