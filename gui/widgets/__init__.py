"""Small widgets that tabs and frame share."""
