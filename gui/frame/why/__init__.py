"""The Why dock: what the selected candidate's figures are made of."""
