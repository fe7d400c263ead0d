"""Steps that compare facts before the first statement and prove success after the last."""
