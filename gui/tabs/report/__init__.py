"""The Report tab."""
