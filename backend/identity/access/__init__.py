"""Who may do what, where: roles assigned for an environment, a cluster or a link."""
