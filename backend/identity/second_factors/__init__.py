"""Second factors of users: authenticator apps (TOTP), passkeys (WebAuthn) and recovery codes."""
