package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.kafka.RequestCodec;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.worker.ConsumerLimits.Load;
import org.treerename.worker.PartitionQueue.Queued;

final class PartitionQueueTest {

    private final PartitionQueue queue = new PartitionQueue(EndedRecords.NONE);
    private long offset = 40;

    private void add(String source, String destination) {
        add(RequestCodec.encode(new RenameRequest("r-" + offset, "files", source, destination, OnExisting.FAIL, null)));
    }

    private void add(byte[] value) {
        ReceivedRecord received = ReceivedRecord.of(new ConsumerRecord<>("rename.requests", 0, offset++, null, value));
        queue.add(received, footprint(received));
    }

    private static Footprint footprint(ReceivedRecord received) {
        return received.footprint(PartitionQueueTest::known);
    }

    private static Optional<Namespace> known(String name) {
        Notation dots = new Notation(".", false, true);
        return switch (name) {
            case "files", "m", "n" -> Optional.of(Namespace.ofFiles(name, name));
            case "terms" ->
                Optional.of(new Namespace(name, name, dots, Fields.of("fqn", null, null), null, Rules.DEFAULT));
            case "documents" -> Optional.of(Namespace.ofFiles(name, name).lockedBy(Granularity.DOCUMENT));
            default -> Optional.empty();
        };
    }

    /** Begins all requests that may begin now, and returns them. */
    private List<Queued> begun() {
        List<Queued> begun = new ArrayList<>();
        for (Optional<Queued> next = queue.begin(any -> true); next.isPresent(); next = queue.begin(any -> true)) {
            begun.add(next.get());
        }
        return begun;
    }

    private static List<Long> offsets(List<Queued> queued) {
        return queued.stream().map(q -> q.taken().message().offset()).toList();
    }

    @Test
    void counts_requests_as_waiting_that_neither_run_nor_have_ended() {
        add("/a", "/b");
        add("/a/1", "/c");
        add("/d", "/e");
        List<Queued> begun = begun();
        int held = queue.waiting();
        begun.forEach(queue::carry);
        int carried = queue.waiting();
        queue.end(begun.getFirst());
        begun().forEach(queue::carry);

        assertThat(offsets(begun)).containsExactly(40L, 42L);
        assertThat(held).isEqualTo(3);
        assertThat(carried).isEqualTo(1);
        assertThat(queue.waiting()).isZero();
        assertThat(queue.length()).isEqualTo(2);
    }

    @Test
    void requests_that_do_not_overlap_run_side_by_side() {
        add("/a", "/b");
        add("/c", "/d");
        add("/ab", "/cd");
        assertThat(offsets(begun())).containsExactly(40L, 41L, 42L);
    }

    @Test
    void requests_that_overlap_run_in_log_order_even_if_each_document_is_locked() {
        List<List<String>> moves =
                List.of(List.of("/a", "/b"), List.of("/a/d/x", "/c"), List.of("/e", "/f"), List.of("/b/y", "/g"));
        moves.forEach(move -> add(RequestCodec.encode(
                new RenameRequest("r-" + offset, "documents", move.get(0), move.get(1), OnExisting.FAIL, null))));

        assertThat(offsets(begun())).containsExactly(40L, 42L);
    }

    @Test
    void requests_that_overlap_run_one_after_the_other_in_log_order() {
        add("/a", "/b");
        add("/a/x", "/c");
        add("/c", "/d");
        add("/e", "/f");

        List<Queued> first = begun();
        assertThat(offsets(first)).containsExactly(40L, 43L);
        queue.end(first.get(0));
        List<Queued> second = begun();
        assertThat(offsets(second)).containsExactly(41L);
        queue.end(second.getFirst());
        assertThat(offsets(begun())).containsExactly(42L);
    }

    @Test
    void a_request_that_waits_for_several_begins_when_the_last_of_them_has_ended() {
        add("/a/x", "/b/x");
        add("/a/y", "/b/y");
        add("/a", "/c");
        List<Queued> files = begun();
        assertThat(offsets(files)).containsExactly(40L, 41L);

        queue.end(files.get(1));
        assertThat(begun()).isEmpty();
        queue.end(files.get(0));
        assertThat(offsets(begun())).containsExactly(42L);
    }

    @Test
    void an_invalid_record_conflicts_with_no_request() {
        add("/a", "/b");
        add("no json".getBytes(StandardCharsets.UTF_8));
        add("relative", "/a");
        add("/c", "/d");
        assertThat(offsets(begun())).containsExactly(40L, 41L, 42L, 43L);
    }

    @Test
    void the_position_is_the_offset_of_the_lowest_request_that_has_not_ended() {
        assertThat(queue.position()).isEmpty();
        add("/a", "/b");
        add("/c", "/d");
        add("/e", "/f");
        List<Queued> begun = begun();
        assertThat(queue.position()).isEqualTo(OptionalLong.of(40));

        queue.end(begun.get(1));
        assertThat(queue.position()).isEqualTo(OptionalLong.of(40));
        assertThat(queue.length()).isEqualTo(2);
        queue.end(begun.get(0));
        assertThat(queue.position()).isEqualTo(OptionalLong.of(42));
        queue.end(begun.get(2));
        assertThat(queue.position()).isEqualTo(OptionalLong.of(43));
        assertThat(queue.length()).isZero();
    }

    @Test
    void the_position_skips_offsets_that_are_missing_in_the_log() {
        add("/a", "/b");
        offset = 60;
        add("/c", "/d");
        queue.end(begun().getFirst());
        assertThat(queue.position()).isEqualTo(OptionalLong.of(60));
    }

    @Test
    void a_window_is_full_by_requests_or_by_bytes_and_open_again_at_half() {
        ConsumerLimits two = new ConsumerLimits(1, 2);
        add("/a", "/b");
        assertThat(two.isFull(queue, load())).isFalse();
        add("/c", "/d");
        assertThat(two.isFull(queue, load())).isTrue();
        assertThat(two.isHalfEmpty(queue, load())).isFalse();
        queue.end(begun().getFirst());
        assertThat(two.isHalfEmpty(queue, load())).isTrue();

        ConsumerLimits many = new ConsumerLimits(1, 1_000);
        for (int i = 0; i < 65; i++) {
            queue.add(
                    new ReceivedRecord(
                            new ConsumerRecord<>(
                                    "rename.requests",
                                    0,
                                    offset++,
                                    0,
                                    TimestampType.LOG_APPEND_TIME,
                                    0,
                                    1024 * 1024,
                                    null,
                                    null,
                                    new RecordHeaders(),
                                    Optional.empty()),
                            RequestCodec.decode(null)),
                    new Footprint.Nothing());
        }
        assertThat(many.isFull(queue, load())).isTrue();
        begun().forEach(queue::end);
        assertThat(many.isHalfEmpty(queue, load())).isTrue();
        assertThat(queue.bytes()).isZero();
    }

    /**
     * Compares the queue with a simple rule: a request begins as soon as all earlier conflicting requests have ended,
     * but not earlier.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void random_requests_begin_as_soon_as_they_may_and_no_earlier(long seed) {
        Random random = new Random(seed);
        Map<Long, Queued> running = new HashMap<>();
        Map<Long, ReceivedRecord> unfinished = new HashMap<>();
        // for each request, the earlier unfinished requests that conflict with the request
        Map<Long, Set<Long>> blockers = new HashMap<>();
        int ended = 0;
        while (ended < 500) {
            if (unfinished.isEmpty() || (random.nextInt(3) > 0 && unfinished.size() < 60)) {
                long at = offset;
                byte[] value = RequestCodec.encode(new RenameRequest(
                        "r-" + at,
                        random.nextInt(4) == 0 ? "m" : "n",
                        path(random),
                        path(random),
                        OnExisting.FAIL,
                        null));
                add(value);
                ReceivedRecord received =
                        ReceivedRecord.of(new ConsumerRecord<>("rename.requests", 0, at, null, value));
                Set<Long> before = new HashSet<>();
                unfinished.forEach((earlier, other) -> {
                    if (conflict(other, received)) {
                        before.add(earlier);
                    }
                });
                blockers.put(at, before);
                unfinished.put(at, received);
            } else {
                long at = running.keySet().stream()
                        .skip(random.nextInt(running.size()))
                        .findFirst()
                        .orElseThrow();
                queue.end(Objects.requireNonNull(running.remove(at)));
                unfinished.remove(at);
                blockers.remove(at);
                blockers.values().forEach(before -> before.remove(at));
                ended++;
            }
            for (Queued begun : begun()) {
                running.put(begun.taken().message().offset(), begun);
            }
            Set<Long> mayRun = new HashSet<>();
            blockers.forEach((at, before) -> {
                if (before.isEmpty()) {
                    mayRun.add(at);
                }
            });
            assertThat(running.keySet()).isEqualTo(mayRun);
            assertThat(queue.position())
                    .isEqualTo(OptionalLong.of(
                            unfinished.keySet().stream().min(Long::compare).orElse(offset)));
        }
    }

    private Load load() {
        return Load.of(List.of(queue));
    }

    /** Returns whether two footprints conflict. Each footprint may be {@link Footprint.Unknown}. */
    private static boolean overlap(Footprint one, Footprint other) {
        return switch (one) {
            case Footprint.Nothing nothing -> false;
            case Footprint.Unknown unknown -> unknown.namespace().equals(namespaceOf(other));
            case Footprint.Locks mine ->
                other instanceof Footprint.Locks theirs
                        ? mine.locks().conflictsWith(theirs.locks())
                        : mine.locks().namespace().equals(namespaceOf(other));
        };
    }

    private static String namespaceOf(Footprint footprint) {
        return switch (footprint) {
            case Footprint.Nothing nothing -> "";
            case Footprint.Unknown unknown -> unknown.namespace();
            case Footprint.Locks known -> known.locks().namespace();
        };
    }

    /** At first, the definitions of the namespaces are unknown. All requests use the same few paths. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13, 14, 15, 16})
    void random_requests_of_namespaces_that_become_known_keep_the_order_of_the_log(long seed) {
        Random random = new Random(seed);
        Set<String> known = new HashSet<>();
        Map<Long, Queued> running = new HashMap<>();
        Map<Long, ReceivedRecord> unfinished = new TreeMap<>();
        // the footprint by which the queue orders each unfinished request
        Map<Long, Footprint> footprints = new HashMap<>();
        int ended = 0;
        while (ended < 400) {
            int turn = random.nextInt(10);
            if (unfinished.isEmpty() || (turn < 5 && unfinished.size() < 40)) {
                ReceivedRecord received =
                        ReceivedRecord.of(request(random.nextBoolean() ? "m" : "n", path(random), path(random)));
                Footprint footprint = received.footprint(name -> known.contains(name) ? known(name) : Optional.empty());
                queue.add(received, footprint);
                unfinished.put(received.message().offset(), received);
                footprints.put(received.message().offset(), footprint);
            } else if (turn == 5) {
                // later requests find no definition, as if the namespaces had been deleted
                known.clear();
            } else if (turn == 6) {
                known.add(random.nextBoolean() ? "m" : "n");
                queue.learn(name -> known.contains(name) ? known(name) : Optional.empty());
                unfinished.forEach((at, received) -> {
                    if (footprints.get(at) instanceof Footprint.Unknown unknown
                            && known.contains(unknown.namespace())) {
                        footprints.put(at, footprint(received));
                    }
                });
            } else if (!running.isEmpty()) {
                long at = running.keySet().stream()
                        .skip(random.nextInt(running.size()))
                        .findFirst()
                        .orElseThrow();
                queue.end(Objects.requireNonNull(running.remove(at)));
                unfinished.remove(at);
                footprints.remove(at);
                ended++;
            }
            for (Queued begun : begun()) {
                running.put(begun.taken().message().offset(), begun);
            }
            Set<Long> mayRun = new HashSet<>(unfinished.keySet());
            mayRun.removeIf(at -> unfinished.keySet().stream()
                    .anyMatch(before -> before < at && overlap(footprints.get(before), footprints.get(at))));
            assertThat(running.keySet()).isEqualTo(mayRun);
        }
    }

    @Test
    void many_requests_for_the_same_locks_are_a_chain() {
        for (int i = 0; i < 1_000; i++) {
            add(i % 2 == 0 ? "/a" : "/b", i % 2 == 0 ? "/b" : "/a");
        }
        for (int i = 0; i < 1_000; i++) {
            List<Queued> next = begun();
            assertThat(offsets(next)).containsExactly(40L + i);
            assertThat(next.getFirst().followers()).isEqualTo(i == 999 ? 0 : 1);
            queue.end(next.getFirst());
        }
    }

    @Test
    void many_requests_that_each_conflict_with_all_before_are_a_chain() {
        for (int i = 0; i < 500; i++) {
            add("/hot", "/to-" + i);
        }
        for (int i = 0; i < 500; i++) {
            List<Queued> next = begun();
            assertThat(offsets(next)).containsExactly(40L + i);
            assertThat(next.getFirst().followers()).isEqualTo(i == 499 ? 0 : 1);
            queue.end(next.getFirst());
        }
    }

    private void addIn(String namespace, String source, String destination) {
        add(RequestCodec.encode(
                new RenameRequest("r-" + offset, namespace, source, destination, OnExisting.FAIL, null)));
    }

    @Test
    void compares_paths_in_the_notation_of_the_namespace() {
        addIn("terms", "a.b", "x");
        addIn("terms", "a.b.c", "y");
        addIn("terms", "a.\"b.c\"", "z");
        addIn("terms", "/a/b", "v");
        addIn("terms", "a/b", "w");
        assertThat(offsets(begun())).containsExactly(40L, 42L, 43L, 44L);
    }

    @Test
    void requests_of_an_unknown_namespace_run_one_after_the_other() {
        addIn("new", "a", "b");
        addIn("new", "c", "d");
        addIn("newer", "c", "d");
        add("/a", "/b");
        List<Queued> first = begun();
        assertThat(offsets(first)).containsExactly(40L, 42L, 43L);
        queue.end(first.getFirst());
        assertThat(offsets(begun())).containsExactly(41L);
    }

    @Test
    void a_request_that_was_queued_before_the_definition_was_known_begins_first() {
        addUnknown("/a", "/b");
        ReceivedRecord after = ReceivedRecord.of(request("files", "/c", "/d"));
        queue.add(after, footprint(after));
        List<Queued> first = begun();
        assertThat(offsets(first)).containsExactly(40L);
        queue.end(first.getFirst());
        assertThat(offsets(begun())).containsExactly(41L);
    }

    @Test
    void requests_that_do_not_overlap_begin_when_the_definition_becomes_known() {
        for (int i = 0; i < 4; i++) {
            addUnknown(i == 2 ? "/0/x" : "/" + i, "/to-" + i);
        }
        List<Queued> first = begun();
        assertThat(offsets(first)).containsExactly(40L);
        queue.learn(name -> Optional.empty());
        assertThat(begun()).isEmpty();

        queue.learn(PartitionQueueTest::known);

        assertThat(offsets(begun())).containsExactly(41L, 43L);
        queue.end(first.getFirst());
        assertThat(offsets(begun())).containsExactly(42L);
        assertThat(queue.position()).isEqualTo(OptionalLong.of(41));
    }

    @Test
    void a_request_that_has_begun_keeps_its_followers_when_the_definition_becomes_known() {
        addUnknown("/a", "/b");
        addUnknown("/a", "/b");
        List<Queued> first = begun();

        queue.learn(PartitionQueueTest::known);

        assertThat(offsets(first)).containsExactly(40L);
        assertThat(begun()).isEmpty();
        queue.end(first.getFirst());
        assertThat(offsets(begun())).containsExactly(41L);
    }

    @Test
    void a_request_that_conflicts_with_two_begins_after_both_when_the_definition_becomes_known() {
        addUnknown("/a", "/a2");
        addUnknown("/b", "/b2");
        addUnknown("/a/x", "/b/x");
        List<Queued> first = begun();
        queue.learn(PartitionQueueTest::known);
        List<Queued> second = begun();
        assertThat(offsets(first)).containsExactly(40L);
        assertThat(offsets(second)).containsExactly(41L);

        queue.end(first.getFirst());
        assertThat(begun()).isEmpty();
        queue.end(second.getFirst());

        assertThat(offsets(begun())).containsExactly(42L);
    }

    /** Adds a request whose namespace has no known definition yet. */
    private void addUnknown(String source, String destination) {
        ReceivedRecord received = ReceivedRecord.of(request("files", source, destination));
        queue.add(received, received.footprint(name -> Optional.empty()));
    }

    private ConsumerRecord<byte[], byte[]> request(String namespace, String source, String destination) {
        byte[] value = RequestCodec.encode(
                new RenameRequest("r-" + offset, namespace, source, destination, OnExisting.FAIL, null));
        return new ConsumerRecord<>("rename.requests", 0, offset++, null, value);
    }

    private static boolean conflict(ReceivedRecord one, ReceivedRecord other) {
        return footprint(one) instanceof Footprint.Locks mine
                && footprint(other) instanceof Footprint.Locks theirs
                && mine.locks().conflictsWith(theirs.locks());
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(3);
        for (int i = 0; i < depth; i++) {
            path.append('/').append((char) ('a' + random.nextInt(5)));
        }
        return path.toString();
    }
}
