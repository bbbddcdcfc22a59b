"""What happens when the program itself is at fault: noted without what is private, told once, the plan kept first."""
