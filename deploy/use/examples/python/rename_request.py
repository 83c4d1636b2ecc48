#!/usr/bin/env python3
"""Sends a rename request to Kafka, waits for its outcome, and prints the outcome as JSON.

usage: rename_request.py BOOTSTRAP_SERVERS NAMESPACE SOURCE DESTINATION [PREFIX]

PREFIX is the prefix of the installation, if it has one. Needs confluent-kafka (Debian: python3-confluent-kafka).
Exit codes: 0 completed without a reason, 1 another outcome, 3 no outcome in time. A completed rename with a reason has left documents.
"""

import json
import sys
import time
import uuid

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition

PATIENCE_SECONDS = 60


def at_the_end(servers, topic):
    """Returns a consumer that reads only later records, from all partitions of a topic."""
    consumer = Consumer({"bootstrap.servers": servers, "group.id": f"rename-example-{uuid.uuid4()}", "enable.auto.commit": False})
    partitions = consumer.list_topics(topic, timeout=10).topics[topic].partitions
    ends = []
    for partition in partitions:
        _, end = consumer.get_watermark_offsets(TopicPartition(topic, partition), timeout=10)
        ends.append(TopicPartition(topic, partition, end))
    consumer.assign(ends)
    return consumer


def key_of(namespace, source):
    """Returns the key of the record: the namespace and the first segment of a source that begins with a slash."""
    return namespace + "/" + source.split("/")[1]


def send(servers, topic, request):
    """Sends the request and returns when Kafka has acknowledged it."""
    failures = []
    producer = Producer({
        "bootstrap.servers": servers,
        "enable.idempotence": True,
        # choose the same partition as the clients in Java, so that requests with the same key are always in one partition
        "partitioner": "murmur2_random",
    })
    producer.produce(
        topic,
        key=key_of(request["namespace"], request["source"]),
        value=json.dumps(request).encode(),
        on_delivery=lambda error, _: failures.append(error) if error else None)
    if producer.flush(PATIENCE_SECONDS) > 0 or failures:
        # the request may be in the topic nevertheless; send it again with the same id
        raise SystemExit(f"Kafka did not acknowledge the request {request['request_id']}: {failures}")


def await_outcome(consumer, request_id):
    """Returns the outcome of a request, or None if no outcome arrives in time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        message = consumer.poll(1)
        if message is None:
            continue
        if message.error():
            if message.error().code() == KafkaError._PARTITION_EOF:
                continue
            raise KafkaException(message.error())
        if message.key() == request_id.encode():
            return json.loads(message.value())
    return None


def main():
    if len(sys.argv) not in (5, 6):
        raise SystemExit(__doc__)
    servers, namespace, source, destination = sys.argv[1:5]
    prefix = sys.argv[5] + "." if len(sys.argv) == 6 else ""
    request = {
        "request_id": str(uuid.uuid4()),
        "namespace": namespace,
        "source": source,
        "destination": destination,
        "requested_by": "rename_request.py",
    }
    # begin to read before the request is sent, so that this program cannot miss the outcome
    consumer = at_the_end(servers, prefix + "rename.outcomes")
    # a program that must know the outcome after a crash stores the id before it sends the request
    print(f"request {request['request_id']}", file=sys.stderr)
    send(servers, prefix + "rename.requests", request)
    outcome = await_outcome(consumer, request["request_id"])
    consumer.close()
    if outcome is None:
        print("no outcome yet; send the same request again, or run: rename status " + request["request_id"], file=sys.stderr)
        return 3
    print(json.dumps(outcome))
    return 0 if outcome["status"] == "completed" and outcome["reason"] is None else 1


if __name__ == "__main__":
    sys.exit(main())
