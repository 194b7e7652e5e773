"""The review page: what is remembered of a project, on this machine alone."""
