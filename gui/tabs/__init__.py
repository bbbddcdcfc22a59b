"""What stands in the tabs, one folder a tab."""
