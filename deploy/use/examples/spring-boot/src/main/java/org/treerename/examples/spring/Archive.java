package org.treerename.examples.spring;

import java.util.concurrent.TimeUnit;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.treerename.producer.RenameClient;
import org.treerename.producer.TreeReader;
import org.treerename.producer.writer.TreeLocks;
import org.treerename.producer.writer.WriteHold;
import org.treerename.request.Outcome;

/**
 * Holds the locks of a directory for a moment, and then renames the directory into the archive. Prints the outcome, and
 * the number of documents before and after the rename.
 */
@Component
@Order(1)
class Archive implements ApplicationRunner {

    private final RenameClient renames;
    private final TreeReader trees;
    private final TreeLocks locks;
    private final ArchiveProperties properties;

    Archive(RenameClient renames, TreeReader trees, TreeLocks locks, ArchiveProperties properties) {
        this.renames = renames;
        this.trees = trees;
        this.locks = locks;
        this.properties = properties;
    }

    @Override
    public void run(ApplicationArguments arguments) throws Exception {
        String namespace = properties.namespace();
        String source = properties.source();
        String destination = properties.destination();
        try (WriteHold held = locks.write(namespace, source)) {
            // a real program writes its last documents at this point, because no rename can move the directory now
            System.out.println("held: " + held.stillHeld());
        }
        System.out.println("found: " + trees.count(namespace, source, null) + " documents");
        Outcome outcome = renames.send(
                        renames.rename(namespace, source, destination).build())
                .get(2, TimeUnit.MINUTES);
        System.out.println("outcome: " + outcome.status().published() + ", moved " + outcome.moved());
        System.out.println("archived: " + trees.count(namespace, destination, null) + " documents");
    }
}
