package org.treerename.producer.http;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.rename.Journal;
import org.treerename.rename.JournalEntry;
import org.treerename.runtime.Loop;
import org.treerename.runtime.Time;
import org.treerename.store.Versioned;

/** The journal in Elasticsearch: the one place of the gateway that knows where it is. */
final class ElasticRenames implements Renames {

    private static final Duration PROBE = Duration.ofSeconds(1);

    private final Elastic elastic;
    private final Loop probing;
    private final Journal journal;

    private ElasticRenames(Elastic elastic, Loop probing) {
        this.elastic = elastic;
        this.probing = probing;
        this.journal = new ElasticJournal(new ControlIndex(elastic));
    }

    /** Connects lazily. */
    static ElasticRenames connect(Elastic.Settings settings, Time time) {
        Elastic elastic = Elastic.connect(settings).behindCircuit();
        return new ElasticRenames(elastic, Loop.start("elasticsearch-probe", time, PROBE, elastic::probe));
    }

    /** What keeps it from answering; empty if nothing is known to. */
    Optional<String> problem() {
        return elastic.isGone() ? Optional.of("Elasticsearch does not answer") : Optional.empty();
    }

    @Override
    public Optional<JournalEntry> read(String requestId) {
        return journal.read(requestId).map(Versioned::value);
    }

    @Override
    public List<JournalEntry> read(Collection<String> requestIds) {
        return journal.read(requestIds).stream().map(Versioned::value).toList();
    }

    @Override
    public void close() {
        try (elastic) {
            probing.close();
        }
    }
}
