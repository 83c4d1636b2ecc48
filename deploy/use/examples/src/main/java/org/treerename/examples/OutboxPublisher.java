package org.treerename.examples;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.treerename.examples.Outbox.Change;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.producer.Sent;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Status;

/**
 * Copies the changes of a tree in PostgreSQL ({@code database.sql}) into an index. In the order of the outbox, the
 * program writes each document, and sends one request for each rename.
 *
 * <p>Arguments: the JDBC URL, Kafka's bootstrap servers, the URL of Elasticsearch, the namespace, and the index of the
 * namespace. The {@code version} of the namespace must be {@code external}.
 *
 * <ol>
 *   <li>Read the oldest change that is not done. If the process dies during this step, the next publisher reads the
 *       change again.
 *   <li>Write the document of the change with the version of the change. If the process dies during the write, the next
 *       publisher writes the document again, and Elasticsearch refuses the second write. For a rename, send a request
 *       whose id contains the version. If the process dies during the send, the next publisher sends the same request
 *       again. The outcome of the repeated request comes from the journal or from the rename in progress.
 *   <li>After the write, or after the outcome, mark the change as done.
 * </ol>
 *
 * <p>The program requests a rename only when all earlier changes are in the index. Later changes wait for the outcome
 * of the rename. So no earlier change arrives after a rename, and no later change arrives during a rename.
 *
 * <p>The program ends with exit code 1 if the result of a rename differs from the result in the database. The cause is
 * another program that writes into the index. Stop the other program first. Then make the index and the database equal
 * again.
 */
public final class OutboxPublisher {

    private static final long PAUSE_MILLIS = 100;

    private final Outbox outbox;
    private final RenameProducer producer;
    private final VersionedIndex index;
    private final String namespace;

    private OutboxPublisher(Outbox outbox, RenameProducer producer, VersionedIndex index, String namespace) {
        this.outbox = outbox;
        this.producer = producer;
        this.index = index;
        this.namespace = namespace;
    }

    public static void main(String[] args) throws SQLException, IOException, InterruptedException, ExecutionException {
        try (Outbox outbox = Outbox.open(args[0]);
                RenameProducer producer = RenameProducer.connect(ProducerSettings.of(args[1]))) {
            print("reads the outbox");
            VersionedIndex index = new VersionedIndex(args[2] + "/" + args[4]);
            new OutboxPublisher(outbox, producer, index, args[3]).run();
        }
        System.exit(1);
    }

    /** Publishes changes until the result of a rename differs from the result in the database. */
    private void run() throws SQLException, IOException, InterruptedException, ExecutionException {
        while (true) {
            List<Change> changes = outbox.next();
            for (Change change : changes) {
                if (!publish(change)) {
                    return;
                }
            }
            if (changes.isEmpty()) {
                Thread.sleep(PAUSE_MILLIS);
            } else {
                outbox.done(changes.getLast());
            }
        }
    }

    private boolean publish(Change change) throws SQLException, IOException, InterruptedException, ExecutionException {
        switch (change) {
            case Change.Put put -> index.put(put.entry(), put.document(), put.version());
            case Change.Delete delete -> index.delete(delete.entry(), delete.version());
            case Change.Rename rename -> {
                Outcome outcome = outcome(rename);
                print("received the outcome of " + rename + ": " + outcome.message());
                if (outcome.status() != Status.COMPLETED || outcome.reason() != null) {
                    return false;
                }
                outbox.done(rename);
            }
        }
        return true;
    }

    private Outcome outcome(Change.Rename rename) throws InterruptedException, ExecutionException {
        RenameRequest request = new RenameRequest(
                        namespace + "-" + rename.version(),
                        namespace,
                        rename.source(),
                        rename.destination(),
                        OnExisting.FAIL,
                        "the outbox")
                .withVersion(rename.version());
        Sent sent = producer.submit(request);
        sent.acknowledged().get();
        print("has requested " + rename);
        return sent.outcome().get().outcome();
    }

    private static void print(String event) {
        System.out.println("the publisher " + event);
    }
}
