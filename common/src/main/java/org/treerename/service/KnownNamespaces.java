package org.treerename.service;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticTreeCheck;
import org.treerename.process.ProcessContext;
import org.treerename.runtime.Loop;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** Updates the definitions of namespaces that a process keeps in memory. */
final class KnownNamespaces implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(KnownNamespaces.class);

    /** The time between two checks of the file of namespaces. */
    private static final Duration DEFINITIONS = Duration.ofSeconds(5);

    /** The time between two reads of all definitions. They detect when two namespaces begin to share an index. */
    private static final Duration KNOWN = Duration.ofSeconds(30);

    private final @Nullable Loop defining;
    private final Loop reading;

    private KnownNamespaces(@Nullable Loop defining, Loop reading) {
        this.defining = defining;
        this.reading = reading;
    }

    /**
     * Defines the namespaces of the file, and begins to read all definitions regularly. Returns when every namespace of
     * the file is defined, or has only problems that may disappear. A namespace with these problems is defined later.
     *
     * @param file the file of namespaces; null if there is none
     * @throws IllegalArgumentException if a namespace of the file cannot be defined
     */
    static KnownNamespaces keep(
            ElasticNamespaces namespaces, ElasticTreeCheck check, @Nullable Path file, ProcessContext context) {
        Loop defining = file == null ? null : define(file, namespaces, check, context);
        return new KnownNamespaces(
                defining, Loop.start("known-namespaces", context.time(), KNOWN, () -> read(namespaces)));
    }

    private static Loop define(
            Path file, ElasticNamespaces namespaces, ElasticTreeCheck check, ProcessContext context) {
        Definitions definitions = new Definitions(file, namespaces, check::problems);
        context.retryUntilAnswered("the namespaces of " + file, definitions::begin);
        return Loop.start("namespaces", context.time(), DEFINITIONS, definitions::poll);
    }

    /** An unreadable definition is reported when a request names its namespace. */
    private static void read(ElasticNamespaces namespaces) {
        try {
            var unused = namespaces.all();
        } catch (NoAnswerException | RefusedException e) {
            log.debug(
                    "cannot read the definitions of the namespaces ({}); reading them again in {} s",
                    e.getMessage(),
                    KNOWN.toSeconds());
        }
    }

    @Override
    public void close() {
        try (defining) {
            reading.close();
        }
    }
}
