"""Who may do what: accounts, rights, second factors and single sign-on."""
