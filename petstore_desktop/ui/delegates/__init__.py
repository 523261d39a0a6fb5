"""Tables: what a cell says (`roles`), how it is painted and edited, the header and the view."""
