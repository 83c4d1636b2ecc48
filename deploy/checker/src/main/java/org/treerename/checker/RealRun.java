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
import org.treerename.path.Granularity;
import org.treerename.path.Namespace;

/**
 * A run on real servers: what stands there is noted before its first request is sent, and read again after quiescence. What
 * belongs to other namespaces, and renames that had ended before, have no part in it. One thread calls it.
 */
public final class RealRun {

    /** How many requests a worker carries at once, by default. */
    private static final long MOST_CARRIED = 64;

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

    /** Begins one. The topics exist; nothing is at work in the namespace. */
    public static RealRun begin(ElasticsearchHttp http, String kafkaBootstrapServers, Namespace namespace) {
        try (TopicDump topics = new TopicDump(kafkaBootstrapServers)) {
            Set<String> ended = JournalDump.read(http).entries().stream()
                    .filter(JournalDump.Entry::isClosed)
                    .map(JournalDump.Entry::requestId)
                    .collect(Collectors.toSet());
            return new RealRun(http, kafkaBootstrapServers, TreeDump.read(http, namespace), ended, topics.ends());
        }
    }

    /** The tree before the run. */
    public TreeDump before() {
        return before;
    }

    /** Adds a view that a reader saw during the run. Any thread may call it. */
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
     * What the run has left now.
     *
     * @param killed how many processes were killed meanwhile: Elasticsearch keeps their points in time until these expire,
     *     at most one of the tree and one of the control index for each rename that it carried, each counted once for
     *     every shard
     * @param oneClock whether all processes and brokers read one clock
     */
    public Run read(int killed, boolean oneClock) {
        // before the reading, which opens points in time itself
        long open = openContexts(http);
        Namespace namespace = before.namespace();
        try (TopicDump topics = new TopicDump(kafkaBootstrapServers)) {
            Records all = topics.read(begins, oneClock);
            LockDump locks = LockDump.read(http);
            JournalDump journal = JournalDump.read(http);
            TreeDump after = TreeDump.read(http, namespace);
            List<Records.Request> requests = all.requests().stream()
                    .filter(request -> isOf(namespace, request.value()))
                    .toList();
            Set<String> asked = requests.stream()
                    .flatMap(request -> request.requestId().stream())
                    .collect(Collectors.toSet());
            List<JournalDump.Entry> entries = journal.entries().stream()
                    .filter(entry -> namespace.name().equals(entry.namespace())
                            // of a request that is none the entry has no namespace, and the id may be another one's
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

    private static boolean isOf(Namespace namespace, String request) {
        return namespace.name().equals(field(request, "namespace").textValue());
    }

    /** Missing where the text is no JSON. */
    private static JsonNode field(String json, String name) {
        try {
            return ElasticsearchHttp.MAPPER.readTree(json).path(name);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    /**
     * A process that is killed may carry many renames, each of which may have a point in time open: those that were decided, and,
     * where each document is locked, those that were not, of which nothing tells how many they were.
     */
    private static long leftBehind(int killed, List<JournalDump.Entry> entries, Namespace namespace) {
        if (namespace.rules().granularity() == Granularity.DOCUMENT) {
            return killed * MOST_CARRIED;
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
