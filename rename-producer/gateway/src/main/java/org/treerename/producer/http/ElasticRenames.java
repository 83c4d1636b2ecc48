package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.namespace.Namespace;
import org.treerename.overview.LockSearch;
import org.treerename.overview.Overview;
import org.treerename.producer.cli.ElasticDryRun;
import org.treerename.producer.forecast.Forecast;
import org.treerename.producer.reader.ElasticPointsInTime;
import org.treerename.producer.reader.SearchLimits;
import org.treerename.producer.reader.TreeViews;
import org.treerename.rename.Cancellation;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.Loop;
import org.treerename.runtime.Time;
import org.treerename.service.ServerChecks;
import org.treerename.store.NoAnswerException;

/** Connects the gateway to the journal and the trees in Elasticsearch. */
final class ElasticRenames implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ElasticRenames.class);
    private static final Duration PROBE = Duration.ofSeconds(1);
    private static final Duration MOST_SEARCH_TIME = Duration.ofSeconds(10);

    private final Elastic elastic;
    private final Loop probing;
    private final Renames renames;
    private final Trees trees;

    private ElasticRenames(Elastic elastic, Loop probing, Time time) {
        ControlIndex control = new ControlIndex(elastic);
        ElasticJournal journal = new ElasticJournal(control);
        this.elastic = elastic;
        this.probing = probing;
        this.trees = trees(elastic, control, time);
        this.renames = new JournalRenames(
                journal,
                new Overview(
                        journal,
                        new ElasticJournalSearch(control),
                        new LockSearch(new ElasticLockStore(control)),
                        new ElasticProcessStore(control)),
                new Cancellation(journal, time, Backoff.Factory.jittered(time)));
    }

    private static Trees trees(Elastic elastic, ControlIndex control, Time time) {
        ElasticNamespaces namespaces = new ElasticNamespaces(elastic, control);
        ElasticLockStore locks = new ElasticLockStore(control);
        ElasticJournal journal = new ElasticJournal(control);
        return new Trees() {
            @Override
            public Optional<Namespace> namespace(String name) {
                return namespaces.current(name);
            }

            @Override
            public TreeViews views(IntConsumer counter) {
                return new TreeViews(
                        locks,
                        journal,
                        new ElasticPointsInTime(elastic, new SearchLimits(MOST_SEARCH_TIME, counter)),
                        time);
            }

            @Override
            public List<JsonNode> definitions() {
                return namespaces.stored();
            }

            @Override
            public Forecast forecast(RenameRequest request) {
                return ElasticDryRun.of(elastic, request);
            }
        };
    }

    /** Creates the client of Elasticsearch. The client connects when it sends its first request. */
    static ElasticRenames connect(Elastic.Settings settings, Time time) {
        Elastic elastic = Elastic.connect(settings).behindCircuit();
        return new ElasticRenames(elastic, Loop.start("elasticsearch-probe", time, PROBE, elastic::probe), time);
    }

    Renames renames() {
        return renames;
    }

    Trees trees() {
        return trees;
    }

    /**
     * Checks the version of Elasticsearch. If Elasticsearch does not answer, the gateway starts without this check.
     *
     * @throws IllegalArgumentException if the gateway cannot work with this version
     */
    void checkVersion() {
        try {
            var unused = ServerChecks.checkVersion(elastic);
        } catch (NoAnswerException e) {
            log.warn(
                    "cannot check the version of Elasticsearch: {}; the gateway starts without this check",
                    e.getMessage());
        }
    }

    /** Returns the reason why Elasticsearch is unavailable; empty if no problem is known. */
    Optional<String> problem() {
        return elastic.isGone() ? Optional.of("Elasticsearch does not answer") : Optional.empty();
    }

    @Override
    public void close() {
        try (elastic) {
            probing.close();
        }
    }
}
