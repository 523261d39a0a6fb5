"""Small widgets the window is made of; one idea a file, each painted from the theme's tokens."""
