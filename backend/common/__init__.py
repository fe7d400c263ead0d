"""What every app shares: ids, roles, problem answers, pagination, idempotency, the task base."""
