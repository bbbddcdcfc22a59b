"""The What-if tab: what moves the answer, and the plan's scenarios side by side."""
