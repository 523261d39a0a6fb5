"""Thin Qt models over the desk."""
