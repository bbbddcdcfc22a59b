"""Files written whole: aside first, then put in place, and what dead programs left is swept."""
