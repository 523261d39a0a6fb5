"""What a screen shows, without Qt."""
