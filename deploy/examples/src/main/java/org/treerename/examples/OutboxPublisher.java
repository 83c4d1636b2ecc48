package org.treerename.examples;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.treerename.examples.Outbox.Change;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.producer.Sent;
import org.treerename.rename.OnExisting;
import org.treerename.rename.Outcome;
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.rename.Status;

/**
 * Lets an index follow a tree in PostgreSQL ({@code database.sql}): documents are written, and renames asked for, one after the
 * other in the order of the outbox. Its arguments: the JDBC URL, Kafka's bootstrap servers, the URL of Elasticsearch, the
 * namespace, and its index; the namespace's version is {@code external}.
 *
 * <ol>
 *   <li>read the oldest change that is not done: if we die here, the next publisher reads it again;
 *   <li>write it, in the version that it has: if we die here, it is written again, and Elasticsearch refuses it. A rename is
 *       asked for under an id that is made from the version: if we die here, the same request is sent again, and answered
 *       from the journal, or waited for;
 *   <li>when it is written, or the outcome has come, say that it is done.
 * </ol>
 *
 * A rename is asked for when all before it is in the index, and what comes after it waits for its outcome: so nothing that is
 * older than a rename can meet it, and nothing is newer than it while it moves. It ends with 1 where a rename did not end as it
 * did in the database: then somebody else writes into the index, and has to be found before the two are made equal again.
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
            tell("reads the outbox");
            VersionedIndex index = new VersionedIndex(args[2] + "/" + args[4]);
            new OutboxPublisher(outbox, producer, index, args[3]).run();
        }
        System.exit(1);
    }

    /** Until a rename ends otherwise than in the database. */
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
                tell("is told that " + rename + " ended: " + outcome.message());
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
        tell("has asked for " + rename);
        return sent.outcome().get().outcome();
    }

    private static void tell(String what) {
        System.out.println("the publisher " + what);
    }
}
