# Stands in for python:3.11-slim-bookworm: Debian's own Python 3.11, where pip may install beside the system's packages.
FROM hawser-base/debian:12
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 python3-dev python3-pip \
 && rm -rf /var/lib/apt/lists/* /usr/lib/python3.11/EXTERNALLY-MANAGED \
 && ln -s /usr/bin/python3 /usr/local/bin/python
