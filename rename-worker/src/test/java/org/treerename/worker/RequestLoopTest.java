package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.installation.Installation;
import org.treerename.journal.Delivery;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.journal.UnmetDependency;
import org.treerename.kafka.RequestCodec;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.namespace.Namespace;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Renamer.Answer;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.RefusedException;
import org.treerename.worker.DependencyCheck.Patience;

/** Runs the loop round by round. A request that has begun runs only when the test calls {@link #end}. */
final class RequestLoopTest {

    private static final Duration BETWEEN_COMMITS = Duration.ofMillis(200);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
    private static final Duration AFTER_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration LOCK_WAIT = Duration.ofMinutes(2);
    private static final int MIB = 1024 * 1024;

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final List<String> events = new ArrayList<>();
    private final InMemoryConsumer consumer = new InMemoryConsumer(offsets -> events.add("commit " + offsets));
    private final Poller poller = new Poller(consumer);
    private final InMemoryNamespaces namespaces = new InMemoryNamespaces();
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryJournal journal = new InMemoryJournal(control, new InMemoryLockStore(control));
    private final AtomicBoolean unavailable = new AtomicBoolean();
    private final DependencyQueue dependencies = new DependencyQueue(
            new Predecessors(journal), time, new Patience(AFTER_TIMEOUT, LOCK_WAIT), unavailable::get, poller::wake);
    private final StopSignal stop = new StopSignal();

    /** The next offset of each partition. */
    private final Map<Integer, Long> logEnds = new HashMap<>();

    /**
     * The requests that have begun, by request id, in the order in which they began. For a record without a request id,
     * the key is the position of the record.
     */
    private final Map<String, Runnable> running = new LinkedHashMap<>();

    /** The prepared answers by request id. All other requests receive the default answer. */
    private final Map<String, Supplier<Answer>> answers = new HashMap<>();

    /** The stop signal of each assignment of a partition, in the order of the assignments. */
    private final List<StopSignal> signals = new ArrayList<>();

    private final List<Delivery> deliveries = new ArrayList<>();
    private ConsumerLimits window = new ConsumerLimits(8, 100);
    private LoopReading lastReading = LoopReading.NONE;

    private RequestLoop loop() {
        namespaces.define(Namespace.ofFiles("files", "files"));
        ProcessContext context = new ProcessContext(
                "worker-1", time, Backoff.Factory.jittered(time), Duration.ZERO, 10, new StopSignal());
        DeadLetters deadLetters =
                new DeadLetters(Installation.DEFAULT.deadLetters(), letter -> events.add("dead letter"), reason -> {});
        return new RequestLoop(
                consumer,
                Installation.DEFAULT.requests(),
                poller,
                dependencies,
                new RequestLoop.Tools(
                        namespaces::known,
                        new RequestLoop.Processing(
                                this::renamer,
                                new RecordHandler(deadLetters, context),
                                (received, request) -> running.put(name(received), request)),
                        new RequestLoop.Limits(stop, window, unavailable::get),
                        new RequestLoop.Observers(() -> events.add("before offset"), reading -> lastReading = reading),
                        time));
    }

    private static String name(ReceivedRecord received) {
        return received.decoded() instanceof Decoded.Usable ? received.requestId() : received.toString();
    }

    /**
     * Returns a renamer that returns the prepared answer to a request, or the default answer. By default, the request
     * completes, or stops if the stop signal was requested.
     */
    private Function<Delivery, Answer> renamer(StopSignal own) {
        signals.add(own);
        return delivery -> {
            deliveries.add(delivery);
            Supplier<Answer> answer = answers.get(delivery.requestId());
            if (answer != null) {
                return answer.get();
            }
            return own.isRequested() ? new Answer.Stopped() : OutcomeTexts.completed(delivery.requestId());
        };
    }

    /** Returns a loop that has joined its group and owns these partitions. */
    private RequestLoop joined(int... partitions) {
        RequestLoop loop = loop();
        loop.subscribe();
        consumer.own(partitions);
        round(loop);
        return loop;
    }

    /** Runs one round in which a commit is due. */
    private void round(RequestLoop loop) {
        time.advance(BETWEEN_COMMITS);
        assertThat(loop.round()).as("another round follows").isTrue();
    }

    private void send(int partition, String requestId, String... after) {
        send(partition, requestId, "/" + requestId, "/to-" + requestId, List.of(after), -1);
    }

    private void sendFrom(int partition, long offset, String requestId) {
        logEnds.put(partition, offset);
        send(partition, requestId);
    }

    private void sendMove(int partition, String requestId, String source, String destination) {
        send(partition, requestId, source, destination, List.of(), -1);
    }

    private void sendBytes(int partition, String requestId, int bytes) {
        send(partition, requestId, "/" + requestId, "/to-" + requestId, List.of(), bytes);
    }

    private void send(
            int partition, String requestId, String source, String destination, List<String> after, int bytes) {
        RenameRequest request = new RenameRequest(requestId, "files", source, destination, OnExisting.FAIL, null);
        send(partition, RequestCodec.encode(request, after), bytes);
    }

    private void send(int partition, byte[] value, int bytes) {
        long offset = logEnds.merge(partition, 1L, Long::sum) - 1;
        consumer.addRecord(new ConsumerRecord<>(
                Installation.DEFAULT.requests(),
                partition,
                offset,
                0,
                TimestampType.LOG_APPEND_TIME,
                0,
                bytes,
                null,
                value,
                new RecordHeaders(),
                Optional.of(leaderEpoch(offset))));
    }

    /** Returns the leader epoch of a record. In these tests, the leader changes after every record. */
    private static int leaderEpoch(long offset) {
        return (int) offset + 70;
    }

    /** Runs a request until its end. The request must have begun. */
    private void end(String requestId) {
        Objects.requireNonNull(running.remove(requestId), requestId + " has not begun")
                .run();
    }

    private void answer(String requestId, Supplier<Answer> answer) {
        answers.put(requestId, answer);
    }

    private List<String> commits() {
        return events.stream()
                .filter(event -> event.startsWith("commit "))
                .map(event -> event.substring("commit ".length()))
                .toList();
    }

    private Set<Integer> paused() {
        return consumer.paused().stream().map(TopicPartition::partition).collect(Collectors.toSet());
    }

    @Test
    void commits_the_offset_of_the_lowest_request_that_has_not_ended() {
        RequestLoop loop = joined(0);
        send(0, "a");
        send(0, "b");
        send(0, "c");
        round(loop);

        end("b");
        round(loop);
        List<String> whileTheLowestRuns = commits();
        end("a");
        round(loop);
        List<String> afterItsEnd = commits();
        end("c");
        round(loop);

        assertThat(whileTheLowestRuns).containsExactly("0@0");
        assertThat(afterItsEnd).containsExactly("0@0", "0@2");
        assertThat(commits()).containsExactly("0@0", "0@2", "0@3");
    }

    /** A request may wait for days, for example for the locks of a parked rename. */
    @Test
    void the_next_owner_processes_only_the_requests_behind_a_waiting_request_that_have_not_ended() {
        RequestLoop first = joined(0);
        for (String request : List.of("waits", "b", "c", "d")) {
            send(0, request);
        }
        round(first);
        end("b");
        end("d");
        round(first);
        assertThat(committed(0).offset()).isZero();
        running.clear();

        consumer.own();
        round(first);
        consumer.own(0);
        round(first);
        sendFrom(0, 0, "waits");
        for (String request : List.of("b", "c", "d", "e")) {
            send(0, request);
        }
        round(first);
        List<String> begun = List.copyOf(running.keySet());
        end("waits");
        end("c");
        end("e");
        round(first);
        round(first);

        assertThat(begun).containsExactly("waits", "c", "e");
        assertThat(committed(0)).isEqualTo(new OffsetAndMetadata(5, Optional.of(leaderEpoch(4)), ""));
    }

    @Test
    void commits_offsets_alone_if_kafka_refuses_the_names_of_the_ended_requests() {
        RequestLoop loop = joined(0);
        send(0, "a");
        send(0, "b");
        send(0, "c");
        round(loop);
        consumer.failCommits(new OffsetMetadataTooLarge("too large"));
        end("b");
        round(loop);
        round(loop);
        consumer.failCommits(null);
        time.advance(AFTER_FAILURE);
        round(loop);

        assertThat(committed(0)).isEqualTo(new OffsetAndMetadata(0, Optional.empty(), ""));
    }

    @Test
    void a_worker_that_cannot_read_what_has_ended_processes_all_requests() {
        RequestLoop loop = loop();
        loop.subscribe();
        consumer.failReads(new TimeoutException("no answer"));
        consumer.own(0);
        round(loop);
        send(0, "a");
        round(loop);

        assertThat(running).containsOnlyKeys("a");
    }

    /** Kafka compares this epoch with its log (KIP-320). */
    @Test
    void commits_an_offset_with_the_leader_epoch_of_the_record_before_it() {
        RequestLoop loop = joined(0);
        send(0, "a");
        send(0, "b");
        send(0, "c");
        round(loop);
        end("b");
        end("a");
        round(loop);
        OffsetAndMetadata betweenRequests = committed(0);

        end("c");
        round(loop);
        round(loop);

        assertThat(betweenRequests).isEqualTo(new OffsetAndMetadata(2, Optional.of(leaderEpoch(1)), ""));
        assertThat(committed(0)).isEqualTo(new OffsetAndMetadata(3, Optional.of(leaderEpoch(2)), ""));
    }

    @Test
    void commits_the_offsets_of_several_partitions_together() {
        RequestLoop loop = joined(0, 1);
        send(0, "a");
        send(1, "b");
        round(loop);
        end("a");
        end("b");
        round(loop);

        assertThat(commits()).containsExactly("0@1 1@1");
    }

    @Test
    void commits_only_once_in_200_ms() {
        RequestLoop loop = joined(0);
        List.of("a", "b", "c").forEach(id -> send(0, id));
        round(loop);

        end("a");
        loop.round();
        List<String> first = commits();
        end("b");
        time.advance(BETWEEN_COMMITS.minusMillis(1));
        loop.round();
        List<String> tooEarly = commits();
        end("c");
        time.advance(Duration.ofMillis(1));
        loop.round();

        assertThat(first).containsExactly("0@1");
        assertThat(tooEarly).containsExactly("0@1");
        assertThat(commits()).containsExactly("0@1", "0@3");
    }

    @Test
    void repeats_a_failed_commit_later() {
        RequestLoop loop = joined(0);
        send(0, "a");
        round(loop);
        end("a");

        consumer.failCommits(new RebalanceInProgressException());
        round(loop);
        round(loop);
        consumer.failCommits(null);
        time.advance(AFTER_FAILURE.minus(BETWEEN_COMMITS).minus(BETWEEN_COMMITS).minusMillis(1));
        round(loop);
        List<String> tooEarly = commits();
        time.advance(Duration.ofMillis(1));
        loop.round();

        assertThat(tooEarly).isEmpty();
        assertThat(commits()).containsExactly("0@1");
    }

    @Test
    void commits_nothing_until_a_request_has_ended() {
        RequestLoop loop = joined(0);
        sendFrom(0, 7, "a");
        round(loop);
        round(loop);

        assertThat(events).isEmpty();
    }

    @Test
    void runs_its_callback_before_each_commit() {
        RequestLoop loop = joined(0);
        send(0, "a");
        round(loop);
        end("a");
        round(loop);

        assertThat(events).containsExactly("before offset", "commit 0@1");
    }

    @Test
    void commits_the_ended_requests_of_a_partition_when_it_is_revoked() {
        RequestLoop loop = joined(0, 1);
        List.of("a", "b", "c").forEach(id -> send(0, id));
        round(loop);
        end("a");
        round(loop);
        end("b");
        loop.round();
        List<String> before = commits();

        consumer.own(1);
        loop.round();

        assertThat(before).containsExactly("0@1");
        assertThat(commits()).containsExactly("0@1", "0@2");
    }

    @Test
    void requests_a_stop_of_the_requests_of_a_revoked_partition_only() {
        RequestLoop loop = joined(0, 1);
        send(0, "a");
        send(1, "b");
        round(loop);

        consumer.own(1);
        round(loop);

        assertThat(signals).extracting(StopSignal::isRequested).containsExactly(true, false);
        assertThat(stop.isRequested()).isFalse();
    }

    @Test
    void commits_nothing_when_a_request_of_a_revoked_partition_ends() {
        RequestLoop loop = joined(0, 1);
        send(0, "a");
        round(loop);
        consumer.own(1);
        round(loop);

        answer("a", () -> OutcomeTexts.completed("a"));
        end("a");
        round(loop);

        assertThat(commits()).isEmpty();
        assertThat(lastReading.running()).isZero();
        assertThat(lastReading.queues()).containsOnlyKeys("1");
    }

    @Test
    void commits_nothing_of_a_lost_partition() {
        RequestLoop loop = joined(0, 1);
        List.of("a", "b", "c").forEach(id -> send(0, id));
        List.of("x", "y").forEach(id -> send(1, id));
        round(loop);
        end("x");
        round(loop);
        end("a");
        loop.round();

        consumer.loseAllBut(1);
        round(loop);
        end("b");
        end("y");
        round(loop);

        assertThat(commits()).containsExactly("1@1", "1@2");
        assertThat(signals).extracting(StopSignal::isRequested).containsExactly(true, false);
    }

    @Test
    void begins_no_queued_request_of_a_lost_partition() {
        window = new ConsumerLimits(1, 100);
        RequestLoop loop = joined(0, 1);
        send(0, "a");
        round(loop);
        send(0, "b");
        round(loop);

        consumer.loseAllBut(1);
        round(loop);
        end("a");
        round(loop);

        assertThat(running).isEmpty();
        assertThat(deliveries).extracting(Delivery::requestId).containsExactly("a");
    }

    @Test
    void begins_requests_of_a_partition_that_is_assigned_while_others_run() {
        RequestLoop loop = joined(0);
        send(0, "a");
        round(loop);

        consumer.own(0, 1);
        round(loop);
        send(1, "b");
        round(loop);
        Set<String> together = Set.copyOf(running.keySet());
        end("a");
        end("b");
        round(loop);

        assertThat(together).containsExactlyInAnyOrder("a", "b");
        assertThat(commits()).containsExactly("0@1 1@1");
        assertThat(signals).extracting(StopSignal::isRequested).containsExactly(false, false);
    }

    @Test
    void pauses_a_partition_with_a_full_window_until_it_is_half_empty() {
        window = new ConsumerLimits(4, 4);
        RequestLoop loop = joined(0, 1);
        List.of("a", "b", "c", "d").forEach(id -> send(0, id));
        round(loop);
        Set<Integer> full = paused();

        end("a");
        send(1, "other");
        round(loop);
        Set<Integer> threeOfFour = paused();
        Set<String> goOn = Set.copyOf(running.keySet());
        end("b");
        round(loop);

        assertThat(full).containsExactly(0);
        assertThat(threeOfFour).containsExactly(0);
        assertThat(goOn).containsExactlyInAnyOrder("b", "c", "d", "other");
        assertThat(paused()).isEmpty();
    }

    @Test
    void a_slow_request_does_not_stop_its_partition_after_many_later_requests() {
        window = new ConsumerLimits(4, 4);
        RequestLoop loop = joined(0);
        send(0, "slow");
        round(loop);
        for (int i = 0; i < 20; i++) {
            send(0, "r" + i);
            round(loop);
            end("r" + i);
            round(loop);
        }
        Set<Integer> paused = paused();
        List<String> before = commits();
        end("slow");
        round(loop);

        assertThat(paused).isEmpty();
        assertThat(before).containsOnly("0@0");
        assertThat(commits()).endsWith("0@21");
    }

    private void sendTo(String namespace, String requestId) {
        namespaces.define(Namespace.ofFiles(namespace, namespace));
        RenameRequest request =
                new RenameRequest(requestId, namespace, "/" + requestId, "/to-" + requestId, OnExisting.FAIL, null);
        send(0, RequestCodec.encode(request, List.of()), -1);
    }

    /** The tree of the first namespace does not answer, so its requests do not end. */
    @Test
    void a_namespace_whose_requests_do_not_end_delays_no_other_namespace() {
        window = new ConsumerLimits(2, 100);
        RequestLoop loop = joined(0);
        for (int i = 0; i < 5; i++) {
            sendTo("slow", "slow-" + i);
        }
        for (int i = 0; i < 3; i++) {
            sendTo("fast", "fast-" + i);
        }
        round(loop);
        Set<String> first = Set.copyOf(running.keySet());
        end("fast-0");
        round(loop);
        end("slow-0");
        round(loop);

        assertThat(first).containsExactlyInAnyOrder("slow-0", "slow-1", "fast-0", "fast-1");
        assertThat(running).containsOnlyKeys("slow-1", "slow-2", "fast-1", "fast-2");
    }

    @Test
    void pauses_a_partition_with_64_mib_until_32_mib_have_ended() {
        RequestLoop loop = joined(0, 1);
        sendBytes(0, "a", 24 * MIB);
        sendBytes(0, "b", 8 * MIB);
        sendBytes(0, "c", 31 * MIB);
        round(loop);
        Set<Integer> below = paused();
        sendBytes(0, "d", MIB);
        round(loop);
        Set<Integer> full = paused();

        end("a");
        round(loop);
        Set<Integer> fortyLeft = paused();
        end("b");
        round(loop);

        assertThat(below).isEmpty();
        assertThat(full).containsExactly(0);
        assertThat(fortyLeft).containsExactly(0);
        assertThat(paused()).isEmpty();
    }

    @Test
    void begins_no_request_and_pauses_every_partition_while_elasticsearch_is_unavailable() {
        RequestLoop loop = joined(0, 1);
        unavailable.set(true);
        send(0, "a");
        round(loop);
        Set<Integer> whileUnavailable = paused();
        Set<String> begunWhileUnavailable = Set.copyOf(running.keySet());

        unavailable.set(false);
        round(loop);

        assertThat(whileUnavailable).containsExactlyInAnyOrder(0, 1);
        assertThat(begunWhileUnavailable).isEmpty();
        assertThat(running).containsOnlyKeys("a");
        assertThat(paused()).isEmpty();
    }

    @Test
    void begins_no_request_of_the_dependency_queue_while_elasticsearch_is_unavailable() {
        journal.create(JournalStep.ATTEMPT, JournalEntries.in(State.CLOSED, "before", time.now()));
        RequestLoop loop = joined(0);
        send(0, "a", "before");
        round(loop);
        dependencies.poll();

        unavailable.set(true);
        round(loop);
        Set<String> whileUnavailable = Set.copyOf(running.keySet());
        unavailable.set(false);
        round(loop);

        assertThat(whileUnavailable).isEmpty();
        assertThat(running).containsOnlyKeys("a");
    }

    @Test
    void runs_no_more_requests_at_once_than_its_concurrency() {
        window = new ConsumerLimits(2, 100);
        RequestLoop loop = joined(0);
        List.of("a", "b", "c").forEach(id -> send(0, id));
        round(loop);
        Set<String> two = Set.copyOf(running.keySet());
        end("b");
        round(loop);

        assertThat(two).containsExactlyInAnyOrder("a", "b");
        assertThat(running).containsOnlyKeys("a", "c");
    }

    @Test
    void a_request_of_the_dependency_queue_counts_as_running_when_it_begins() {
        journal.create(JournalStep.ATTEMPT, JournalEntries.in(State.CLOSED, "before", time.now()));
        window = new ConsumerLimits(1, 100);
        RequestLoop loop = joined(0);
        send(0, "a", "before");
        round(loop);
        send(0, "b");
        round(loop);
        dependencies.poll();
        round(loop);
        Set<String> one = Set.copyOf(running.keySet());
        end("b");
        round(loop);

        assertThat(one).containsExactly("b");
        assertThat(running).containsOnlyKeys("a");
    }

    @Test
    void begins_one_request_of_each_partition_in_turn() {
        window = new ConsumerLimits(2, 100);
        RequestLoop loop = joined(0, 1);
        List.of("a", "b", "c").forEach(id -> send(0, id));
        List.of("x", "y", "z").forEach(id -> send(1, id));
        round(loop);
        Set<String> first = Set.copyOf(running.keySet());
        end("a");
        end("x");
        round(loop);

        assertThat(first).containsExactlyInAnyOrder("a", "x");
        assertThat(running).containsOnlyKeys("b", "y");
    }

    @Test
    void begins_a_request_when_its_predecessor_has_ended() {
        journal.create(JournalStep.ATTEMPT, JournalEntries.in(State.MOVING, "before", time.now()));
        RequestLoop loop = joined(0);
        send(0, "a", "before");
        send(0, "b");
        round(loop);
        dependencies.poll();
        round(loop);
        Set<String> whileItMoves = Set.copyOf(running.keySet());

        journal.write(
                JournalStep.NO_OP,
                JournalEntries.in(State.CLOSED, "before", time.now()),
                journal.read("before").orElseThrow().version());
        time.advance(Duration.ofSeconds(1));
        dependencies.poll();
        round(loop);

        assertThat(whileItMoves).containsExactly("b");
        assertThat(running).containsOnlyKeys("a", "b");
    }

    @Test
    void delivers_a_request_with_its_missing_predecessor() {
        RequestLoop loop = joined(0);
        send(0, "a", "never");
        round(loop);
        dependencies.poll();
        time.advance(AFTER_TIMEOUT);
        dependencies.poll();
        round(loop);
        end("a");

        assertThat(deliveries).singleElement().returns(UnmetDependency.unknown("never"), Delivery::unmet);
    }

    @Test
    void runs_conflicting_requests_of_a_partition_in_their_order_and_others_side_by_side() {
        RequestLoop loop = joined(0, 1);
        sendMove(0, "first", "/a", "/b");
        sendMove(0, "second", "/a/x", "/c");
        sendMove(0, "elsewhere", "/d", "/e");
        sendMove(1, "of another partition", "/a", "/f");
        round(loop);
        Set<String> together = Set.copyOf(running.keySet());
        end("first");
        round(loop);

        assertThat(together).containsExactlyInAnyOrder("first", "elsewhere", "of another partition");
        assertThat(running).containsOnlyKeys("second", "elsewhere", "of another partition");
    }

    @Test
    void runs_requests_of_an_unknown_namespace_side_by_side_as_soon_as_it_is_known() {
        RequestLoop loop = joined(0);
        for (String id : List.of("a", "b")) {
            RenameRequest request = new RenameRequest(id, "new", "/" + id, "/to-" + id, OnExisting.FAIL, null);
            send(0, RequestCodec.encode(request), -1);
        }
        round(loop);
        Set<String> unknown = Set.copyOf(running.keySet());
        namespaces.define(Namespace.ofFiles("new", "new"));
        round(loop);

        assertThat(unknown).containsExactly("a");
        assertThat(running).containsOnlyKeys("a", "b");
    }

    @Test
    void keeps_an_unusable_record_as_a_dead_letter_before_it_commits_the_offset() {
        RequestLoop loop = joined(0);
        send(0, "no json".getBytes(StandardCharsets.UTF_8), -1);
        loop.round();
        end(Installation.DEFAULT.requests() + "-0@0");
        round(loop);

        assertThat(events).containsExactly("dead letter", "before offset", "commit 0@1");
        assertThat(deliveries).isEmpty();
    }

    @Test
    void polls_for_a_shorter_time_while_requests_run_or_wait_for_predecessors() {
        RequestLoop loop = joined(0);
        Duration idle = consumer.lastPollTimeout();
        send(0, "a");
        send(0, "b", "never");
        round(loop);
        round(loop);
        Duration running = consumer.lastPollTimeout();
        end("a");
        round(loop);
        round(loop);
        round(loop);
        Duration dependencies = consumer.lastPollTimeout();

        assertThat(idle).isEqualTo(Duration.ofSeconds(1));
        assertThat(running).isEqualTo(Duration.ofMillis(100));
        assertThat(dependencies).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void polls_for_a_shorter_time_until_a_commit_is_due_and_until_it_is_answered() {
        RequestLoop loop = joined(0);
        send(0, "a");
        send(0, "b");
        round(loop);
        end("a");
        round(loop);
        consumer.withholdAnswers(true);
        end("b");
        loop.round();
        loop.round();
        Duration unanswered = consumer.lastPollTimeout();
        consumer.withholdAnswers(false);
        loop.round();
        time.advance(Duration.ofMillis(50));
        loop.round();
        Duration notDue = consumer.lastPollTimeout();
        time.advance(Duration.ofMillis(150));
        loop.round();
        loop.round();
        loop.round();
        Duration committed = consumer.lastPollTimeout();

        assertThat(unanswered).isEqualTo(Duration.ofMillis(20));
        assertThat(notDue).isEqualTo(Duration.ofMillis(150));
        assertThat(committed).isEqualTo(Duration.ofSeconds(1));
        assertThat(commits()).containsExactly("0@1", "0@2");
    }

    @Test
    void begins_the_next_request_in_the_round_in_which_one_ends() {
        RequestLoop loop = joined(0);
        sendMove(0, "first", "/a", "/b");
        sendMove(0, "second", "/a/x", "/c");
        round(loop);
        consumer.schedulePollTask(() -> end("first"));

        loop.round();

        assertThat(consumer.wakeups()).isEqualTo(1);
        assertThat(running).containsOnlyKeys("second");
        assertThat(commits()).containsExactly("0@1");
    }

    @Test
    void wakes_for_a_request_whose_predecessor_has_ended() {
        journal.create(JournalStep.ATTEMPT, JournalEntries.in(State.CLOSED, "before", time.now()));
        RequestLoop loop = joined(0);
        send(0, "a", "before");
        round(loop);
        consumer.schedulePollTask(dependencies::poll);

        loop.round();

        assertThat(consumer.wakeups()).isEqualTo(1);
        assertThat(running).containsOnlyKeys("a");
    }

    @Test
    void polls_records_although_a_request_ends_in_each_round() {
        RequestLoop loop = joined(0);
        for (int i = 0; i < 50; i++) {
            send(0, "r" + i);
            round(loop);
            running.keySet().stream().findFirst().ifPresent(this::end);
        }
        round(loop);

        assertThat(deliveries).hasSize(50);
    }

    @Test
    void sends_the_next_commit_when_the_last_one_was_answered() {
        RequestLoop loop = joined(0);
        send(0, "a");
        send(0, "b");
        round(loop);
        consumer.withholdAnswers(true);
        end("a");
        round(loop);
        end("b");
        round(loop);
        round(loop);
        List<String> unanswered = commits();
        consumer.withholdAnswers(false);
        round(loop);

        assertThat(unanswered).containsExactly("0@1");
        assertThat(commits()).containsExactly("0@1", "0@2");
    }

    @Test
    void begins_requests_while_a_commit_is_unanswered() {
        RequestLoop loop = joined(0);
        send(0, "a");
        round(loop);
        consumer.withholdAnswers(true);
        end("a");
        round(loop);
        send(0, "b");
        round(loop);

        assertThat(running).containsOnlyKeys("b");
    }

    @Test
    void repeats_an_unanswered_commit_when_the_partition_is_revoked() {
        RequestLoop loop = joined(0, 1);
        send(0, "a");
        send(0, "b");
        round(loop);
        consumer.withholdAnswers(true);
        end("a");
        round(loop);
        end("b");
        consumer.own(1);
        loop.round();
        List<String> ended = commits();
        round(loop);

        assertThat(ended).containsExactly("0@1", "0@1");
        assertThat(commits()).isEqualTo(ended);
    }

    @Test
    void a_wake_up_neither_breaks_the_commit_of_a_revoked_partition_nor_is_lost() {
        RequestLoop loop = joined(0, 1);
        List.of("a", "later").forEach(id -> send(0, id));
        send(1, "b");
        round(loop);
        end("a");
        loop.round();
        end("later");
        loop.round();
        consumer.ownAfter(() -> end("b"), 1);

        loop.round();

        assertThat(commits()).containsExactly("0@1", "0@2");
        assertThat(running).isEmpty();
        assertThat(consumer.wakeups()).isEqualTo(2);
    }

    /** The events are random: new requests, ends of requests, failed commits and late answers to commits. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void commits_no_offset_above_the_lowest_request_that_has_not_ended(long seed) {
        Random random = new Random(seed);
        window = new ConsumerLimits(5, 10);
        RequestLoop loop = joined(0, 1);
        Map<Integer, List<String>> sent = Map.of(0, new ArrayList<>(), 1, new ArrayList<>());
        Set<String> unfinished = new HashSet<>();
        int checked = 0;
        for (int i = 0; i < 400; i++) {
            int partition = random.nextInt(2);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    String id = "r" + i;
                    sent.get(partition).add(id);
                    unfinished.add(id);
                    send(partition, id);
                }
                case 3, 4 ->
                    running.keySet().stream()
                            .skip(random.nextInt(Math.max(1, running.size())))
                            .findFirst()
                            .ifPresent(id -> {
                                end(id);
                                unfinished.remove(id);
                            });
                case 5 -> consumer.failCommits(random.nextBoolean() ? new RebalanceInProgressException() : null);
                case 6 -> consumer.withholdAnswers(random.nextBoolean());
                default -> {}
            }
            round(loop);
            for (String commit : commits().subList(checked, commits().size())) {
                for (String each : commit.split(" ")) {
                    int of = Integer.parseInt(each.substring(0, 1));
                    int upTo = Integer.parseInt(each.substring(2));
                    assertThat(sent.get(of).subList(0, upTo)).noneMatch(unfinished::contains);
                }
            }
            checked = commits().size();
        }
        consumer.failCommits(null);
        consumer.withholdAnswers(false);
        while (!unfinished.isEmpty()) {
            round(loop);
            for (String id : List.copyOf(running.keySet())) {
                end(id);
                unfinished.remove(id);
            }
        }
        time.advance(AFTER_FAILURE);
        round(loop);
        round(loop);

        assertThat(lastCommitOf(0)).isEqualTo(sent.get(0).size());
        assertThat(lastCommitOf(1)).isEqualTo(sent.get(1).size());
    }

    private long lastCommitOf(int partition) {
        return committed(partition).offset();
    }

    private OffsetAndMetadata committed(int partition) {
        return consumer.committed(Set.of(InMemoryConsumer.partition(partition)))
                .get(InMemoryConsumer.partition(partition));
    }

    @Test
    void reports_its_reading_after_each_round() {
        window = new ConsumerLimits(1, 100);
        RequestLoop loop = joined(0, 1);
        send(0, "a");
        send(0, "b");
        round(loop);

        assertThat(lastReading)
                .isEqualTo(new LoopReading(
                        true, false, 1, Map.of("0", new LoopReading.Queue(2, 1), "1", new LoopReading.Queue(0, 0))));
    }

    @Test
    void reports_that_nothing_runs_only_when_nothing_may_begin() {
        RequestLoop loop = joined(0);
        round(loop);
        int mayBegin = lastReading.runningOrBeginning();
        unavailable.set(true);
        send(0, "a");
        round(loop);

        assertThat(mayBegin).isEqualTo(1);
        assertThat(lastReading.runningOrBeginning()).isZero();
        unavailable.set(false);
        round(loop);
        unavailable.set(true);
        round(loop);
        assertThat(lastReading.runningOrBeginning()).isEqualTo(1);
    }

    private static List<KafkaException> refusals() {
        return List.of(
                new TopicAuthorizationException(Set.of(Installation.DEFAULT.requests())),
                new SaslAuthenticationException("expired"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void ends_and_closes_the_consumer_when_kafka_refuses_it(KafkaException refusal) {
        consumer.own(0);
        consumer.schedulePollTask(() -> send(0, "a"));
        consumer.schedulePollTask(() -> end("a"));
        consumer.schedulePollTask(() -> consumer.setPollException(refusal));

        assertThatThrownBy(loop()::run)
                .isInstanceOf(RefusedException.class)
                .hasMessage("Kafka does not allow this worker to read requests: " + refusal.getMessage());
        assertThat(consumer.closed()).isTrue();
        assertThat(commits()).containsExactly("0@1");
    }

    @Test
    void ends_and_closes_the_consumer_when_a_request_throws_an_error() {
        Error failure = new AssertionError("broken");
        answer("a", () -> {
            throw failure;
        });
        consumer.own(0);
        consumer.schedulePollTask(() -> send(0, "a"));
        consumer.schedulePollTask(() -> end("a"));

        assertThatThrownBy(loop()::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot process " + Installation.DEFAULT.requests() + "-0@0; the worker ends")
                .hasCause(failure);
        assertThat(consumer.closed()).isTrue();
        assertThat(commits()).isEmpty();
    }

    @Test
    void ignores_a_request_that_fails_after_the_process_was_fenced() {
        answer("a", () -> {
            throw new IllegalStateException("fenced");
        });
        RequestLoop loop = joined(0);
        send(0, "a");
        round(loop);
        consumer.schedulePollTask(() -> {
            stop.abandon();
            end("a");
        });

        assertThatCode(loop::round).doesNotThrowAnyException();
        assertThat(loop.round()).isFalse();
    }

    @Test
    void commits_no_offset_of_a_released_request() {
        RequestLoop loop = joined(0);
        send(0, "a");
        round(loop);
        answer("a", Answer.Stopped::new);
        end("a");
        round(loop);

        assertThat(commits()).isEmpty();
        assertThat(lastReading.running()).isZero();
    }

    @Test
    void awaits_running_requests_after_a_stop_request_and_commits_those_that_ended() {
        answer("a", () -> OutcomeTexts.completed("a"));
        consumer.own(0);
        consumer.schedulePollTask(() -> {
            send(0, "a");
            send(0, "b");
        });
        consumer.schedulePollTask(stop::request);
        consumer.scheduleNopPollTask();
        consumer.schedulePollTask(() -> end("b"));
        consumer.schedulePollTask(() -> end("a"));

        loop().run();

        assertThat(consumer.closed()).isTrue();
        assertThat(running).isEmpty();
        assertThat(commits()).containsExactly("0@1");
        assertThat(lastReading.running()).isZero();
    }

    @Test
    void leaves_its_group_soon_after_a_stop_request_although_a_request_is_in_progress() {
        RequestLoop loop = joined(0, 1);
        send(0, "long");
        send(1, "other");
        round(loop);
        answer("other", () -> OutcomeTexts.completed("other"));
        answer("long", () -> OutcomeTexts.completed("long"));
        stop.request();
        end("other");
        round(loop);
        Set<TopicPartition> soon = consumer.assignment();
        time.advance(RequestLoop.LEAVE_AFTER);
        round(loop);
        Set<TopicPartition> later = consumer.assignment();
        List<String> committed = commits();
        end("long");
        round(loop);

        assertThat(soon).hasSize(2);
        assertThat(later).isEmpty();
        assertThat(consumer.subscription()).isEmpty();
        assertThat(committed).containsExactly("1@1");
        assertThat(loop.round()).isFalse();
        assertThat(commits()).isEqualTo(committed);
    }

    @Test
    void receives_no_request_after_a_stop_request() {
        RequestLoop loop = joined(0);
        send(0, "a");
        round(loop);

        stop.request();
        send(0, "b");
        round(loop);

        assertThat(paused()).containsExactly(0);
        assertThat(running).containsOnlyKeys("a");
        assertThat(lastReading.queues()).containsExactly(Map.entry("0", new LoopReading.Queue(1, 0)));
    }

    @Test
    void neither_awaits_nor_commits_anything_after_the_process_was_fenced() {
        consumer.own(0);
        consumer.schedulePollTask(() -> {
            send(0, "a");
            send(0, "b");
        });
        consumer.schedulePollTask(() -> {
            end("a");
            stop.abandon();
        });

        loop().run();

        assertThat(consumer.closed()).isTrue();
        assertThat(running).containsOnlyKeys("b");
        assertThat(commits()).isEmpty();
    }
}
