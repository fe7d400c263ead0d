"""Documents as data: what a report says, before it is a page, Markdown or print."""
