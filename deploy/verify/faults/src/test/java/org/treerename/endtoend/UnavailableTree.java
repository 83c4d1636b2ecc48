package org.treerename.endtoend;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tree that gets renames while its index is closed for a part of the time, or all the time. Renames of other trees
 * must not wait for this tree.
 */
final class UnavailableTree implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(UnavailableTree.class);
    private static final Duration CLOSED = Duration.ofSeconds(7);

    private final Elasticsearch elasticsearch;
    private final Tree tree;
    private final Duration open;
    private final AtomicBoolean isRaging = new AtomicBoolean(true);
    private final Thread thread;

    /**
     * Creates the tree, and closes its index.
     *
     * @param open how long the index is open after each time in which it is closed; zero if it is never open
     */
    UnavailableTree(Elasticsearch elasticsearch, Duration open) {
        this.elasticsearch = elasticsearch;
        this.tree = Load.fill(Tree.createIn(elasticsearch));
        this.open = open;
        set("close");
        this.thread = Thread.ofPlatform().name("unavailable-tree").start(this::rage);
    }

    Tree tree() {
        return tree;
    }

    private void rage() {
        while (isRaging.get()) {
            pause(CLOSED);
            if (open.isPositive()) {
                set("open");
                pause(open);
                set("close");
            }
        }
        set("open");
    }

    /** Repeats the request until Elasticsearch has executed it, because {@link Chaos} kills Elasticsearch. */
    private void set(String operation) {
        Awaitility.await(operation + " of " + tree.name())
                .atMost(Log.PATIENCE)
                .ignoreExceptions()
                .until(() -> {
                    elasticsearch.post("/" + tree.name() + "/_" + operation, "");
                    return true;
                });
        log.debug("{}: {}", tree.name(), operation);
    }

    private void pause(Duration length) {
        Awaitility.await("the next change of " + tree.name())
                .atMost(length.plus(Log.PATIENCE))
                .pollDelay(length)
                .until(() -> true);
    }

    /** Opens the index for good. */
    @Override
    public void close() {
        isRaging.set(false);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
