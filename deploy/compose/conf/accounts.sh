# Sourced by the image's entrypoint when the data folder is empty. The entrypoint itself makes `hawser_migrate`, which
# may change the schema; this makes `hawser`, which the console runs as. What that one may do comes from `migrate`.
docker_process_sql --database=mysql <<SQL
CREATE USER 'hawser'@'%' IDENTIFIED BY '$(cat /run/secrets/database_password)';
GRANT ALL PRIVILEGES ON \`hawser\`.* TO 'hawser_migrate'@'%' WITH GRANT OPTION;
SQL
