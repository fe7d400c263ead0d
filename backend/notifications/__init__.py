"""Messages to the outside: webhooks, mail and chat, and Web Push."""
