# The Kafka of the local stack, for machines that cannot pull the official image. It knows as much of that one's ways as the tests and
# Compose ask for, and is not for production.
ARG BASE=tree-rename/base
FROM ${BASE}
COPY libs/ /opt/kafka/libs/
COPY kafka-run /etc/kafka/docker/run
COPY log4j2.properties /etc/kafka/docker/
COPY --chown=1000:1000 data/ /var/lib/kafka/data/
USER 1000:1000
EXPOSE 9092
CMD ["/etc/kafka/docker/run"]
