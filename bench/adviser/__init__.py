"""The measurements on which the advice rests; each module writes its page of docs/measurements."""
