"""What the holders of docs/explanation/security.md can and cannot do, where no test beside its subject shows it."""
