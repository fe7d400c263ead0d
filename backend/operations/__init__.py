"""What operators do to a link: plans and runs, and who approves, schedules, rehearses and automates them."""
