"""Systems: facts of chips, the links between them, and the time of collectives."""
