"""What is done when a host tells of an event: each module serves one kind, and none may cost the session anything."""
