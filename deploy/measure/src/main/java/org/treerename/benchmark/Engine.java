package org.treerename.benchmark;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Status;

/**
 * Requests renames from tree rename, as a user's program does: sends each request to Kafka, and receives the outcome
 * from Kafka. Any thread may call this class.
 */
final class Engine implements AutoCloseable {

    private static final int PATIENCE_MINUTES = 60;

    private final RenameProducer producer;

    Engine(Stage stage) {
        producer = RenameProducer.connect(ProducerSettings.of(stage.kafkaBootstrapServers()));
    }

    /**
     * Sends a request and waits for its outcome.
     *
     * @return the number of moved documents
     */
    long rename(String namespace, String source, String destination) throws Exception {
        return ask(namespace, source, destination).moved();
    }

    /**
     * Sends a request and waits for its outcome. Throws {@link IllegalStateException} if the rename is not completed.
     */
    Outcome ask(String namespace, String source, String destination) throws Exception {
        Outcome outcome = producer.send(new RenameRequest(
                        producer.newRequestId(), namespace, source, destination, OnExisting.FAIL, "benchmark"))
                .get(PATIENCE_MINUTES, TimeUnit.MINUTES);
        if (outcome.status() != Status.COMPLETED) {
            throw new IllegalStateException("expected a completed rename, found " + outcome);
        }
        return outcome;
    }

    /**
     * Returns the time from the time stamp of the request's record in Kafka to the commit of the rename, in
     * milliseconds.
     */
    static double decidedMillis(Outcome outcome) {
        return Duration.between(outcome.requestedAt(), Objects.requireNonNull(outcome.committedAt()))
                .toMillis();
    }

    @Override
    public void close() {
        producer.close();
    }
}
