"""The only place with httpx: everything that leaves for the service passes here."""
