package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.overview.Cursors;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.JournalSearch.Order;
import org.treerename.overview.LockSearch;
import org.treerename.overview.Overview;
import org.treerename.overview.OverviewJson;
import org.treerename.rename.Cancellation;
import org.treerename.rename.Cancellation.Answer;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.SystemTime;

/** Reads and cancels requests in the journal in Elasticsearch. */
final class ElasticRequests implements JournalRequests {

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
        this.cancellation = new Cancellation(journal, time, Backoff.Factory.jittered(time));
    }

    static JournalRequests open(Elastic.Settings settings) {
        Elastic elastic = Elastic.connect(settings);
        return new ElasticRequests(elastic, new ControlIndex(elastic));
    }

    @Override
    public Optional<ObjectNode> read(String requestId) {
        return journal.readOfRequest(requestId)
                .map(found -> OverviewJson.of(
                        overview.withOwners(List.of(found.value())).getFirst()));
    }

    @Override
    public Page list(Filter filter, @Nullable String after, int most) {
        Overview.Renames page = overview.renames(
                JournalSearch.Filter.ALL
                        .in(filter.states())
                        .of(filter.namespace())
                        .beginningWith(filter.prefix()),
                Order.NEWEST_FIRST,
                after == null ? null : Cursors.age(after),
                most);
        var next = page.next();
        return new Page(
                page.renames().stream()
                        .filter(found -> found.entry().writeTarget() == null
                                && !found.entry().isPlaceholder())
                        .map(OverviewJson::of)
                        .toList(),
                next == null ? null : Cursors.of(next));
    }

    @Override
    public Optional<JournalEntry> find(String requestId) {
        return cancellation.find(requestId);
    }

    @Override
    public Cancelling cancel(String requestId, String by) {
        return switch (cancellation.cancel(requestId, by)) {
            case Answer.Cancelled cancelled -> new Cancelling.Cancelled(OverviewJson.of(cancelled.entry()));
            case Answer.AlreadyDecided decided -> new Cancelling.AlreadyDecided(OverviewJson.of(decided.entry()));
            case Answer.NoEntry none -> new Cancelling.Unknown();
            case Answer.NoRename none -> new Cancelling.NoRename();
        };
    }

    @Override
    public void close() {
        elastic.close();
    }
}
