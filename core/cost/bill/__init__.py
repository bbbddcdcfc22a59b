"""What a bill is made of: read types, batch, line and component; the other files are what parts count with."""
