"""Files from outside: opened, bounded and taken apart in one place, so that nothing gets in and nothing hangs."""
