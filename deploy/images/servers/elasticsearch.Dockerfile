# The Elasticsearch of the local stack, for machines that cannot pull the official image. It knows as much of that one's ways as the
# tests and Compose ask for, and is not for production.
ARG BASE=tree-rename/base
FROM ${BASE}
COPY --chown=1000:0 home/ /usr/share/elasticsearch/
COPY elasticsearch-run /usr/local/bin/
WORKDIR /usr/share/elasticsearch
USER 1000:0
EXPOSE 9200 9300
ENTRYPOINT ["elasticsearch-run"]
