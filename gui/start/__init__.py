"""The start of the program: application, first picture, and whom to tell how far it is."""
