"""What REST views share: base view, serializers, pagination, problem details and idempotency."""
