"""The thread that talks to the service: plans, sends, and tells."""
