# The Elasticsearch of the local stack, for machines that cannot pull the official image. It supports
# only the options of the official image that the tests and Compose use. It is not for production.
ARG BASE=tree-rename/base
FROM ${BASE}
COPY --chown=1000:0 home/ /usr/share/elasticsearch/
COPY elasticsearch-run /usr/local/bin/
WORKDIR /usr/share/elasticsearch
USER 1000:0
EXPOSE 9200 9300
ENTRYPOINT ["elasticsearch-run"]
