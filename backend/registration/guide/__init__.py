"""The guided registration: from host names and an administrator's account to a link, in steps that can be resumed."""
