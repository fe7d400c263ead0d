#!/bin/sh
# Says "up" where this node can be written: a Synced member of a Primary component. Started for each check of HAProxy,
# by a socket unit (Accept=yes, StandardOutput=socket) or by
#   socat TCP-LISTEN:9200,reuseaddr,fork EXEC:/usr/local/bin/galera-check.sh
# HAWSER_CHECK_OPTIONS: the options of the client, for example --defaults-extra-file=/etc/hawser/galera-check.cnf with an
# account that has USAGE alone.
# A donor (state 2) counts as up: it is written during a transfer by mariabackup. With rsync, leave the 2 out.
found=$(timeout 1.5 mariadb ${HAWSER_CHECK_OPTIONS:-} --connect-timeout=1 -N -B -e "SHOW GLOBAL STATUS WHERE
  (Variable_name='wsrep_ready' AND Value='ON') OR (Variable_name='wsrep_cluster_status' AND Value='Primary') OR
  (Variable_name='wsrep_local_state' AND Value IN (2, 4))" 2>/dev/null | wc -l)
if [ "$found" = 3 ]; then echo up; else echo down; fi
