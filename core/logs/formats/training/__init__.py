"""Logs of training runs."""
