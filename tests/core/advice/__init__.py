"""Advice on configurations: rules, options, the table and what is exported of it."""
