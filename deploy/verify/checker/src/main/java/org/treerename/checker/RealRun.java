package org.treerename.checker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;

/**
 * Reads the state of a run on real servers, as input for the {@link Checker}. The class reads the state before the
 * first request is sent, and again at the end of the run. The class ignores other namespaces, and renames that had
 * ended before the run. Any thread may call {@link #saw}. Only one thread calls the other methods.
 */
public final class RealRun {

    /** The default maximum number of requests that a worker processes at once. */
    private static final long MOST_PROCESSED = 64;

    private final ElasticsearchHttp http;
    private final String kafkaBootstrapServers;
    private final TreeDump before;
    private final Set<String> endedBefore;
    private final long openBefore;
    private final Map<TopicPartition, Long> begins;
    private final List<SeenView> views = new ArrayList<>();

    private RealRun(
            ElasticsearchHttp http,
            String kafkaBootstrapServers,
            TreeDump before,
            Set<String> endedBefore,
            Map<TopicPartition, Long> begins) {
        this.http = http;
        this.kafkaBootstrapServers = kafkaBootstrapServers;
        this.before = before;
        this.endedBefore = endedBefore;
        this.openBefore = openContexts(http);
        this.begins = begins;
    }

    /**
     * Reads the state before the first request. The topics must exist, and no rename may be in progress in the
     * namespace.
     */
    public static RealRun begin(ElasticsearchHttp http, String kafkaBootstrapServers, Namespace namespace) {
        try (TopicDump topics = new TopicDump(kafkaBootstrapServers, http.installation())) {
            Set<String> ended = JournalDump.read(http).entries().stream()
                    .filter(JournalDump.Entry::isClosed)
                    .map(JournalDump.Entry::requestId)
                    .collect(Collectors.toSet());
            return new RealRun(http, kafkaBootstrapServers, TreeDump.read(http, namespace), ended, topics.ends());
        }
    }

    /** Returns the tree that was read before the first request. */
    public TreeDump before() {
        return before;
    }

    /** Adds a view that a reader saw during the run. */
    public void saw(SeenView view) {
        synchronized (views) {
            views.add(view);
        }
    }

    private List<SeenView> seen() {
        synchronized (views) {
            return List.copyOf(views);
        }
    }

    /**
     * Reads the current state of the run.
     *
     * @param killed the number of processes that were killed in the run. The points in time of a killed process are
     *     open until they expire. Each rename of the process may have one point in time of the tree and one of the
     *     control index. Elasticsearch counts a point in time once for every shard
     * @param oneClock whether all processes and brokers use one clock
     */
    public Run read(int killed, boolean oneClock) {
        // count the open points in time before the dumps are read, because the dumps open points in time
        long open = openContexts(http);
        Namespace namespace = before.namespace();
        try (TopicDump topics = new TopicDump(kafkaBootstrapServers, http.installation())) {
            Records all = topics.read(begins, oneClock);
            LockDump locks = LockDump.read(http);
            JournalDump journal = JournalDump.read(http);
            TreeDump after = TreeDump.read(http, namespace);
            List<Records.Request> requests = all.requests().stream()
                    .filter(request -> namespace
                            .name()
                            .equals(field(request.value(), "namespace").textValue()))
                    .toList();
            Set<String> asked = requests.stream()
                    .flatMap(request -> request.requestId().stream())
                    .collect(Collectors.toSet());
            List<JournalDump.Entry> entries = journal.entries().stream()
                    .filter(entry -> namespace.name().equals(entry.namespace())
                            // the entry of an invalid request has no namespace; include the entry if a request of this
                            // namespace has the same id
                            || asked.contains(entry.requestId()))
                    .filter(entry -> !endedBefore.contains(entry.requestId()))
                    .toList();
            return new Run(
                    before,
                    after,
                    new Run.Control(
                            new JournalDump(entries),
                            locks.in(Set.of(namespace.name())),
                            ProcessDump.read(http),
                            open,
                            openBefore + leftBehind(killed, entries, namespace) * contextsOfOne(namespace)),
                    records(requests, entries, all),
                    History.UNKNOWN,
                    List.of(),
                    seen());
        }
    }

    private Records records(List<Records.Request> requests, List<JournalDump.Entry> entries, Records all) {
        Set<String> ids = new TreeSet<>();
        requests.forEach(request -> request.requestId().ifPresent(ids::add));
        entries.forEach(entry -> ids.add(entry.requestId()));
        ids.removeAll(endedBefore);
        return new Records(
                requests.stream()
                        .filter(request -> request.requestId()
                                .filter(endedBefore::contains)
                                .isEmpty())
                        .toList(),
                all.outcomes().stream()
                        .filter(outcome -> ids.contains(outcome.key()))
                        .toList(),
                all.deadLetters(),
                all.oneClock());
    }

    private static JsonNode field(String json, String name) {
        try {
            return ElasticsearchHttp.MAPPER.readTree(json).path(name);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    /**
     * A killed process may have left an open point in time for each of its renames. The outcomes show which decided
     * renames were rolled forward. With locks per document, undecided renames have open points in time as well. No
     * record shows their number, so this is the maximum for each killed process.
     */
    private static long leftBehind(int killed, List<JournalDump.Entry> entries, Namespace namespace) {
        if (namespace.rules().granularity() == Granularity.DOCUMENT) {
            return killed * MOST_PROCESSED;
        }
        long rolledForward = entries.stream()
                .filter(entry -> entry.outcome() != null
                        && field(entry.outcome(), "rolled_forward").asBoolean())
                .count();
        return killed == 0 ? 0 : Math.max(killed, rolledForward);
    }

    private long contextsOfOne(Namespace namespace) {
        JsonNode settings = http.get(namespace.index() + "/_settings").json();
        long shards = 0;
        for (JsonNode index : settings) {
            shards += index.path("settings")
                    .path("index")
                    .path("number_of_shards")
                    .asLong(1);
        }
        return shards + 1;
    }

    private static long openContexts(ElasticsearchHttp http) {
        return Stream.of(http.get("_nodes/stats/indices/search").json().required("nodes"))
                .flatMap(nodes -> nodes.properties().stream())
                .mapToLong(node -> node.getValue()
                        .path("indices")
                        .path("search")
                        .path("open_contexts")
                        .asLong())
                .sum();
    }
}
