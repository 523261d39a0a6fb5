"""An OpenAPI document, read into what the program may ask of a service."""
