"""An upgrade without downtime: the code of the released version goes on working on the schema of the next one."""
