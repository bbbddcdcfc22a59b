"""What stands around the tabs: toolbar, verdict, project, status, start page."""
