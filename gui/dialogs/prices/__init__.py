"""Dialogs about prices: the private book, entries of one's own, imported lists."""
