"""Entries of the catalogue as a person types them: described for a form, then checked and made into real entries."""
