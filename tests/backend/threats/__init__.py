"""What the holders of docs/security.md can and cannot do, where no test beside its subject shows it."""
