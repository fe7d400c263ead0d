"""What all apps share: ids, roles, problem responses, pagination, idempotency and the task base."""
