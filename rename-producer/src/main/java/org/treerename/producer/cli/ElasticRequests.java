package org.treerename.producer.cli;

import java.util.List;
import java.util.Optional;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.overview.LockSearch;
import org.treerename.overview.Overview;
import org.treerename.overview.OwnedEntry;
import org.treerename.rename.Cancellation;
import org.treerename.rename.Cancellation.Answer;
import org.treerename.rename.Journal;
import org.treerename.rename.JournalEntry;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.SystemTime;
import org.treerename.wire.JsonOutcomeCodec;

/** Reads and cancels requests in the journal in Elasticsearch. */
final class ElasticRequests implements Requests {

    private final Elastic elastic;
    private final Journal journal;
    private final Overview overview;
    private final Cancellation cancellation;

    private ElasticRequests(Elastic elastic, ControlIndex control) {
        SystemTime time = new SystemTime();
        this.elastic = elastic;
        this.journal = new ElasticJournal(control);
        this.overview = new Overview(
                journal,
                new ElasticJournalSearch(control),
                new LockSearch(new ElasticLockStore(control)),
                new ElasticProcessStore(control));
        this.cancellation = new Cancellation(journal, new JsonOutcomeCodec(), time, Backoff.Factory.jittered(time));
    }

    static Requests open(Elastic.Settings settings) {
        Elastic elastic = Elastic.connect(settings);
        return new ElasticRequests(elastic, new ControlIndex(elastic));
    }

    @Override
    public Optional<OwnedEntry> carried(String requestId) {
        return journal.readOfRequest(requestId)
                .map(found -> overview.carried(List.of(found.value())).getFirst());
    }

    @Override
    public Optional<JournalEntry> find(String requestId) {
        return cancellation.find(requestId);
    }

    @Override
    public Answer cancel(String requestId, String by) {
        return cancellation.cancel(requestId, by);
    }

    @Override
    public void close() {
        elastic.close();
    }
}
