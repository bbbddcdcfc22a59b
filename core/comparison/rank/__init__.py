"""In which order candidates stand."""
