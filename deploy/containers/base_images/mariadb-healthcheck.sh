#!/bin/sh
# A server of the first start does not listen; a refused account answers too, which is enough.
exec mariadb-admin --ssl --host=127.0.0.1 --user=healthcheck ping --silent
