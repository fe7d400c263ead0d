"""Database servers of other releases beside the host's: fetched once, kept in a folder, nothing installed.

`python -m deploy.servers` lists and fetches them, `deploy.lab` starts them, `docs/reference/servers.md` describes them.
"""
