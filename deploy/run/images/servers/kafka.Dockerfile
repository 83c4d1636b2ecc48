# The Kafka of the local stack, for machines that cannot pull the official image. It supports only the
# options of the official image that the tests and Compose use. It is not for production.
ARG BASE=tree-rename/base
FROM ${BASE}
COPY libs/ /opt/kafka/libs/
COPY kafka-run /etc/kafka/docker/run
COPY log4j2.properties /etc/kafka/docker/
COPY --chown=1000:1000 data/ /var/lib/kafka/data/
USER 1000:1000
EXPOSE 9092
CMD ["/etc/kafka/docker/run"]
