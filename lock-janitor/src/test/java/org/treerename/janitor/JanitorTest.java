package org.treerename.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;
import org.treerename.janitor.recovery.DeathWatch;
import org.treerename.janitor.recovery.JournalCleanup;
import org.treerename.janitor.recovery.OwnWrites;
import org.treerename.janitor.recovery.ProcessCleanup;
import org.treerename.janitor.recovery.RollForward;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.janitor.recovery.Sweep;
import org.treerename.journal.Decision;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.InMemoryWatermark;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.State;
import org.treerename.journal.Watermark;
import org.treerename.lock.Hold;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockStore;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.namespace.Namespace;
import org.treerename.observe.CurrentTrace;
import org.treerename.observe.LogContext;
import org.treerename.observe.Spans;
import org.treerename.path.TreePath;
import org.treerename.process.FencedException;
import org.treerename.process.Heartbeat;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.Lease;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Renamer;
import org.treerename.rename.Stores;
import org.treerename.request.InMemoryOutcomes;
import org.treerename.request.InMemoryRequestLog;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Outcomes;
import org.treerename.request.Reason;
import org.treerename.request.TraceContext;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.store.Calls;
import org.treerename.store.Death;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;
import org.treerename.store.Interference.Call;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;
import org.treerename.tree.Document;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.InMemoryTreeStore;
import org.treerename.tree.RefusingTreeStore;
import org.treerename.tree.TreeStore;

/** Runs a janitor tick by tick. All stores of the janitor are in memory. */
@Timeout(60)
class JanitorTest {

    private static final Namespace FILES = Namespace.ofFiles("files", "files-1");
    private static final int MOST_TICKS = 1_000;

    /** The maximum number of moves of one namespace. */
    private static final int MAX_MOVES = 64;

    private static final Lease LEASE = new Lease(Duration.ofSeconds(30));
    private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);
    private static final Duration PARKED_EVERY = Duration.ofMinutes(5);
    private static final TraceContext REQUEST_TRACE =
            new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", null);
    private static final Delivery A_TO_B =
            Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b").in(REQUEST_TRACE));

    private static final JanitorSettings SETTINGS = new JanitorSettings(
            LEASE,
            "group",
            SWEEP_EVERY,
            SWEEP_EVERY,
            PARKED_EVERY,
            Duration.ofDays(8),
            Duration.ofDays(7),
            Duration.ZERO);

    /**
     * This object exports no spans. So the janitor copies the trace context of a request to the outcome without a
     * change.
     */
    private static final Spans SPANS = Spans.none();

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:05Z");
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryLockStore locks = new InMemoryLockStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, locks);
    private final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    private final InMemoryNamespaces namespaces = new InMemoryNamespaces();
    private final InMemoryTreeStore tree = new InMemoryTreeStore(2);
    private final InMemoryOutcomes outcomes = new InMemoryOutcomes();

    /** The trace context of each outcome that a janitor published. */
    private final List<Optional<TraceContext>> traces = new CopyOnWriteArrayList<>();

    /** The logging context (MDC) in which a janitor published each outcome. */
    private final List<Map<String, String>> contexts = new CopyOnWriteArrayList<>();

    private final Calls ofWorkers = new Calls(Interference.none());
    private final OwnWrites ownWrites = new OwnWrites();
    private Supplier<Optional<Duration>> logRetention = () -> Optional.of(Duration.ofDays(7));
    private final TestJanitor janitor;

    JanitorTest() {
        tree.createIndex("files-1");
        namespaces.define(FILES);
        put("a", "/a", "directory");
        put("a1", "/a/1", "file");
        put("a2", "/a/2", "file");
        janitor = new TestJanitor("janitor-1");
    }

    /**
     * A janitor. An {@link Interference} can act before and after each of its calls. Each rename that the janitor
     * processes is a task. The tasks run one after the other: when the test calls {@link #runTasks}, and whenever the
     * janitor waits.
     */
    private final class TestJanitor {
        final Calls calls = new Calls(Interference.none());
        final StopSignal stop = new StopSignal();
        final AtomicInteger ended = new AtomicInteger();
        final Heartbeat heartbeat;
        final Janitor janitor;
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

        TestJanitor(String processId) {
            this(processId, tree);
        }

        TestJanitor(String processId, TreeStore trees) {
            heartbeat = begun(processId);
            ProcessContext context = context(processId, new Yielding(time, this::runTasks), stop);
            Stores stores = traced(stores(calls, trees));
            ProcessStore store = calls.around(ProcessStore.class, processes);
            DeathWatch watch = new DeathWatch(store, time, ownWrites, LEASE);
            janitor = new Janitor(
                    new Janitor.Tools(
                            watch,
                            stores.journal(),
                            new RollForward(
                                    stores, new InMemoryWatermark(control, time), store, watch.fenced(), context),
                            new Janitor.Cleanup(
                                    new Sweep(stores, context),
                                    new ProcessCleanup(stores.journal(), store, time, SETTINGS.processRetention()),
                                    new JournalCleanup(
                                            stores.journal(),
                                            calls.around(Watermark.class, new InMemoryWatermark(control, time)),
                                            new InMemoryRequestLog(() -> logRetention.get()),
                                            context,
                                            SETTINGS.journalRetention())),
                            SPANS,
                            ended::incrementAndGet),
                    context,
                    SETTINGS,
                    tasks::add);
        }

        /**
         * Sends and acknowledges a heartbeat of the janitor, advances the time by one tick, and runs a tick. Each
         * rename that the tick finds becomes a task.
         */
        void ticks() {
            heartbeat.beat();
            ownWrites.acknowledged(time.nanos());
            time.advance(SETTINGS.tick());
            janitor.tick();
        }

        /** Runs this number of ticks. After each tick, runs the tasks that the tick has created. */
        void ticks(int times) {
            for (int i = 0; i < times; i++) {
                ticks();
                runTasks();
            }
        }

        void ticksUntil(BooleanSupplier done) {
            for (int i = 0; !done.getAsBoolean(); i++) {
                assertThat(i).as("ticks").isLessThan(MOST_TICKS);
                ticks(1);
            }
        }

        /** Runs each task until the task ends or dies. */
        void runTasks() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                var unused = Death.of(task);
            }
        }

        /** Runs each task on its own thread. */
        List<Thread> runTasksAtOnce() {
            List<Thread> threads = new ArrayList<>();
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                threads.add(Thread.ofVirtual().start(task));
            }
            return threads;
        }

        /** Runs each task on its own thread, until the condition is true. */
        List<Thread> runTasksUntil(BooleanSupplier done) {
            List<Thread> threads = new ArrayList<>();
            while (!done.getAsBoolean()) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                threads.addAll(runTasksAtOnce());
                Thread.onSpinWait();
            }
            return threads;
        }

        /** Stops the janitor. Blocks until all renames that the janitor has begun have ended. */
        void stopAndAwait() {
            stop.request();
            janitor.run();
            heartbeat.stop();
        }
    }

    /** A clock. Each pause first runs the waiting tasks, and then advances the time. */
    private record Yielding(ManualTime time, Runnable others) implements Time {
        @Override
        public Instant now() {
            return time.now();
        }

        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public void pause(Duration length) {
            others.run();
            time.pause(length);
        }
    }

    private void put(String id, String path, String type) {
        TreePath at = new TreePath(path);
        tree.put(
                "files-1",
                id,
                null,
                "{\"path\":\"%s\",\"parent\":\"%s\",\"name\":\"%s\",\"type\":\"%s\"}"
                        .formatted(at, at.parent(), at.name(), type));
    }

    private Stores stores(Calls calls, TreeStore instead) {
        return new Stores(
                namespaces,
                calls.around(Journal.class, journal),
                calls.around(LockStore.class, locks),
                calls.around(TreeStore.class, instead),
                calls.around(Outcomes.class, outcomes));
    }

    private Stores traced(Stores stores) {
        Outcomes noting = (requestId, outcome) -> {
            traces.add(CurrentTrace.get());
            contexts.add(Map.copyOf(MDC.getCopyOfContextMap()));
            stores.outcomes().publish(requestId, outcome);
        };
        return SPANS.traced(new Stores(stores.namespaces(), stores.journal(), stores.locks(), stores.tree(), noting));
    }

    private static ProcessContext context(String processId, Time time, StopSignal stop) {
        Backoff.Factory backoffs = new Backoff.Factory(time, IntervalFunction.of(Duration.ofMillis(100)));
        return new ProcessContext(processId, time, backoffs, Duration.ofSeconds(10), 10, stop);
    }

    private Heartbeat begun(String processId) {
        return Heartbeat.begin(
                processes,
                ProcessDocument.live(
                        new ProcessId(processId),
                        "service",
                        "host",
                        LEASE.length(),
                        time.now(),
                        InMemoryProcessStore.CONTROL_INDEX_UUID));
    }

    private Renamer renamer(String processId, TreeStore instead) {
        return new Renamer(stores(ofWorkers, instead), context(processId, time, new StopSignal()));
    }

    /**
     * Starts the process of a worker. The worker dies at the call that the interference selects. Returns the heartbeat
     * of the process. With this heartbeat, the test can send further heartbeats, or stop the process.
     */
    private Heartbeat workerThatDies(Interference where) {
        Heartbeat heartbeat = begun("worker-1");
        ofWorkers.interfere(where);
        assertThat(Death.of(() -> renamer("worker-1", tree).run(A_TO_B))).isTrue();
        ofWorkers.interfere(Interference.none());
        return heartbeat;
    }

    private Heartbeat workerThatDiesMoving() {
        return workerThatDies(Death.after("tree.move", 1));
    }

    private JournalEntry entry() {
        return journal.read("r1").map(Versioned::value).orElseThrow();
    }

    private ProcessState state(String processId) {
        return processes.read(new ProcessId(processId)).orElseThrow().value().state();
    }

    private Outcome outcome() {
        List<String> published = outcomes.of("r1");
        assertThat(published).hasSize(1);
        return OutcomeCodec.decode(published.getFirst());
    }

    private void assertRenamed() {
        assertThat(tree.paths(FILES)).isEqualTo(Map.of("a", "/b", "a1", "/b/1", "a2", "/b/2"));
        assertThat(entry().state()).isEqualTo(State.CLOSED);
        assertThat(locks.tables()).isEmpty();
        assertThat(outcome().rolledForward()).isTrue();
    }

    @Test
    void rolls_forward_a_rename_of_a_silent_worker_within_a_lease_and_two_ticks() {
        workerThatDiesMoving();

        janitor.ticks(6);
        ProcessState within = state("worker-1");
        janitor.ticks(2);
        janitor.stopAndAwait();

        assertThat(within).isEqualTo(ProcessState.LIVE);
        assertThat(state("worker-1")).isEqualTo(ProcessState.FENCED);
        assertRenamed();
    }

    private static final Namespace SLOW = Namespace.ofFiles("slow", "slow-1");

    /** A tree store in which the namespace {@link #SLOW} does not answer before the latch is released. */
    private record SlowTrees(TreeStore tree, CountDownLatch answers, CountDownLatch asked)
            implements ForwardingTreeStore {

        @Override
        public Map<String, String> indices(Namespace namespace) {
            if (namespace.name().equals(SLOW.name())) {
                asked.countDown();
                waitFor(answers);
            }
            return tree.indices(namespace);
        }
    }

    /** Creates decided renames in {@link #SLOW}. Their owner does not exist. */
    private void manyDecided(int count) {
        namespaces.define(SLOW);
        tree.createIndex("slow-1");
        for (int i = 0; i < count; i++) {
            Delivery delivery =
                    Deliveries.of(Deliveries.rename("slow-" + i, "slow", "/a/" + i, "/b/" + i), i, Deliveries.APPENDED);
            JournalEntry prepared = JournalEntry.prepared(delivery, new Ownership("worker-0", 1, "hold-" + i));
            Version version = ((WriteResult.Written) journal.create(JournalStep.ATTEMPT, prepared)).version();
            Decision decision = new Decision(time.now(), "worker-0", tree.indices(SLOW), List.of(), null);
            journal.write(JournalStep.COMMIT, prepared.committed(decision, 1), version);
        }
    }

    /** The moves of one namespace wait for their tree, and each of them has its own thread. */
    @Test
    void a_tree_that_never_answers_delays_no_other_namespace() throws InterruptedException {
        int many = 2 * MAX_MOVES;
        workerThatDiesMoving().stop();
        manyDecided(many);
        CountDownLatch answers = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(MAX_MOVES);
        TestJanitor slow = new TestJanitor("janitor-2", new SlowTrees(tree, answers, asked));

        slow.ticks();
        List<Thread> threads = slow.runTasksUntil(() -> asked.getCount() == 0);
        threads.addAll(slow.runTasksUntil(() -> entry().state() == State.CLOSED));
        boolean isAnySlowDone = journal.in(Set.of(State.CLOSED)).stream().anyMatch(id -> id.startsWith("slow-"));
        answers.countDown();
        threads.addAll(slow.runTasksUntil(() -> journal.in(Set.of(State.CLOSED)).size() > many));
        joinAll(threads);
        slow.stopAndAwait();

        assertThat(isAnySlowDone).isFalse();
        assertRenamed();
    }

    /** A release for a retry is one write, and needs no answer of a tree. */
    @Test
    void releases_any_number_of_undecided_renames_while_a_tree_of_their_namespace_does_not_answer()
            throws InterruptedException {
        manyDecided(2 * MAX_MOVES);
        CountDownLatch answers = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(MAX_MOVES);
        TestJanitor slow = new TestJanitor("janitor-2", new SlowTrees(tree, answers, asked));
        Delivery delivery = Deliveries.of(Deliveries.rename("undecided", "slow", "/c", "/d"));
        journal.create(JournalStep.ATTEMPT, JournalEntry.prepared(delivery, new Ownership("worker-0", 1, "hold")));

        slow.ticks();
        List<Thread> threads = slow.runTasksUntil(() -> asked.getCount() == 0);
        threads.addAll(slow.runTasksUntil(() -> !journal.in(Set.of(State.RETRY)).isEmpty()));
        awaitThatWait(threads, 2 * MAX_MOVES);
        slow.stop.request();
        answers.countDown();
        joinAll(threads);
        slow.stopAndAwait();

        assertThat(journal.in(Set.of(State.RETRY))).containsExactly("undecided");
        assertThat(journal.in(Set.of(State.MOVING)))
                .as("the moves that waited for a permit at the stop request")
                .hasSize(MAX_MOVES);
    }

    /** Blocks until this number of threads are in the state WAITING. */
    private static void awaitThatWait(List<Thread> threads, int count) {
        while (threads.stream()
                        .filter(thread -> thread.getState() == Thread.State.WAITING)
                        .count()
                < count) {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            Thread.onSpinWait();
        }
    }

    /** Returns the names of the calls of a tick, without and with its tasks. */
    private List<List<String>> callsOfATick() {
        int before = janitor.calls.made().size();
        janitor.ticks();
        int own = janitor.calls.made().size();
        janitor.runTasks();
        List<String> all = janitor.calls.made().stream().map(Call::name).toList();
        return List.of(all.subList(before, own), all.subList(before, all.size()));
    }

    /** Creates undecided renames of worker-1. */
    private void open(int from, int until) {
        for (int i = from; i < until; i++) {
            Delivery delivery =
                    Deliveries.of(Deliveries.rename("r-" + i, "files", "/" + i, "/b"), i, Deliveries.APPENDED);
            journal.create(
                    JournalStep.ATTEMPT, JournalEntry.prepared(delivery, new Ownership("worker-1", 1, "h-" + i)));
        }
    }

    /**
     * The time from a death to the fence is a lease and two ticks only if a tick is short. So the number of requests of a
     * tick does not depend on the number of open renames, or of ended processes.
     */
    @Test
    void a_tick_sends_the_same_requests_with_4096_open_renames_and_20000_ended_processes() {
        begun("worker-1");
        open(0, 1);
        janitor.ticks(1);
        List<List<String>> few = callsOfATick();
        open(1, 4_096);
        for (int i = 0; i < 20_000; i++) {
            processes.create(ProcessDocument.live(
                            new ProcessId("direct-" + i),
                            "direct",
                            "host",
                            LEASE.length(),
                            time.now(),
                            InMemoryProcessStore.CONTROL_INDEX_UUID)
                    .in(ProcessState.STOPPED));
        }

        List<List<String>> many = callsOfATick();

        assertThat(few.getFirst()).containsExactly("processes.ids", "processes.read");
        assertThat(many).isEqualTo(few);
        assertThat(many.getLast())
                .containsExactly("processes.ids", "processes.read", "journal.owners", "processes.read");
        janitor.stopAndAwait();
    }

    /** A sweep and the clean-ups wait for Elasticsearch on their own threads. */
    @Test
    void fences_a_silent_process_while_every_other_step_waits() throws InterruptedException {
        workerThatDiesMoving();
        CountDownLatch answers = new CountDownLatch(1);
        janitor.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                if (!call.name().startsWith("processes.ids")
                        && !call.name().startsWith("processes.read")
                        && !call.name().startsWith("processes.write")) {
                    waitFor(answers);
                }
            }
        });
        List<Thread> threads = new ArrayList<>();

        for (int i = 0; i < 8; i++) {
            janitor.ticks();
            threads.addAll(janitor.runTasksAtOnce());
        }

        assertThat(state("worker-1")).isEqualTo(ProcessState.FENCED);
        answers.countDown();
        joinAll(threads);
        janitor.ticksUntil(() -> entry().state() == State.CLOSED);
        janitor.stopAndAwait();
    }

    private static void joinAll(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void publishes_an_outcome_in_the_trace_of_its_request() {
        workerThatDiesMoving().stop();

        janitor.ticks(1);
        janitor.stopAndAwait();

        assertThat(traces).containsExactly(Optional.of(REQUEST_TRACE));
    }

    @Test
    void sets_the_logging_context_of_the_rename_that_it_rolls_forward() {
        workerThatDiesMoving().stop();

        janitor.ticks(1);
        janitor.stopAndAwait();

        assertThat(contexts)
                .containsExactly(Map.of(
                        LogContext.PROCESS_ID,
                        "janitor-1",
                        LogContext.REQUEST_ID,
                        "r1",
                        LogContext.NAMESPACE,
                        "files"));
    }

    @Test
    void rolls_forward_a_rename_of_a_stopped_worker_at_the_next_tick() {
        workerThatDiesMoving().stop();

        janitor.ticks(1);
        janitor.stopAndAwait();

        assertRenamed();
        assertThat(state("worker-1")).isEqualTo(ProcessState.STOPPED);
    }

    @Test
    void leaves_a_rename_to_its_worker_while_the_heartbeat_moves() {
        Heartbeat worker = workerThatDiesMoving();
        JournalEntry before = entry();

        for (int i = 0; i < 100; i++) {
            worker.beat();
            janitor.ticks(1);
        }
        janitor.stopAndAwait();

        assertThat(entry()).isEqualTo(before);
        assertThat(state("worker-1")).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void releases_a_prepared_rename_which_completes_when_it_is_delivered_again() {
        workerThatDies(Death.after("journal.prepare", 1)).stop();

        janitor.ticks(1);
        janitor.stopAndAwait();
        State released = entry().state();
        boolean free = locks.tables().isEmpty();
        renamer("worker-2", tree).run(A_TO_B);

        assertThat(released).isEqualTo(State.RETRY);
        assertThat(free).isTrue();
        assertThat(entry().state()).isEqualTo(State.CLOSED);
        assertThat(outcome().rolledForward()).isFalse();
    }

    @Test
    void finishes_a_take_over_whose_answer_was_lost() {
        workerThatDiesMoving().stop();
        janitor.calls.interfere(Interference.answerLostAt(1));

        janitor.ticksUntil(() -> entry().state() == State.CLOSED);
        janitor.stopAndAwait();

        assertRenamed();
    }

    @Test
    void takes_over_a_rename_that_another_janitor_took_over_and_left() {
        workerThatDiesMoving().stop();
        janitor.calls.interfere(Death.after("journal.write MOVING", 1));
        janitor.ticks(1);
        janitor.stopAndAwait();
        State left = entry().state();
        String owner = entry().ownership().processId();
        TestJanitor next = new TestJanitor("janitor-2");

        next.ticks(1);
        next.stopAndAwait();

        assertThat(left).isEqualTo(State.MOVING);
        assertThat(owner).isEqualTo("janitor-1");
        assertRenamed();
        assertThat(outcome().processId()).isEqualTo("janitor-2");
    }

    @Test
    void two_janitors_finish_a_rename_once() {
        workerThatDiesMoving().stop();
        TestJanitor other = new TestJanitor("janitor-2");

        janitor.ticks();
        other.ticks();
        janitor.stopAndAwait();
        other.stopAndAwait();

        assertRenamed();
    }

    @Test
    void sweeps_late_holds_after_the_sweep_interval_and_not_before() {
        locks.take("files", new TreePath("/x"), LockMode.EXCLUSIVE, new Hold("late", "worker-0", priorityOf("r9")));

        janitor.ticks(11);
        int before = locks.tables().size();
        janitor.ticks(1);
        janitor.stopAndAwait();

        assertThat(before).isEqualTo(1);
        assertThat(locks.tables()).isEmpty();
        assertThat(journal.in(Set.of(State.RETRY))).containsExactly("r9");
    }

    private LockPriority priorityOf(String requestId) {
        return new LockPriority(time.now().toEpochMilli(), requestId);
    }

    @Test
    void deletes_the_entry_of_a_closed_rename_after_the_journal_retention() {
        workerThatDiesMoving().stop();
        janitor.ticksUntil(() -> entry().state() == State.CLOSED);

        time.advance(SETTINGS.journalRetention());
        janitor.ticksUntil(() -> journal.entries().isEmpty());
        janitor.stopAndAwait();

        renamer("worker-2", tree).run(A_TO_B);
        assertThat(OutcomeCodec.decode(outcomes.of("r1").getLast()).reason()).isEqualTo(Reason.EXPIRED);
    }

    @Test
    void fails_a_released_rename_whose_record_the_log_has_deleted() {
        workerThatDies(Death.after("journal.prepare", 1)).stop();
        janitor.ticksUntil(() -> entry().state() == State.RETRY);

        time.advance(SETTINGS.journalRetention());
        janitor.ticksUntil(() -> entry().state() == State.CLOSED);
        janitor.stopAndAwait();

        assertThat(outcome().reason()).isEqualTo(Reason.NOT_DELIVERED_AGAIN);
    }

    @Test
    void releases_an_attempt_that_arrives_after_its_entry_expired_although_its_process_is_alive() {
        workerThatDiesMoving().stop();
        janitor.ticksUntil(() -> entry().state() == State.CLOSED);
        time.advance(SETTINGS.journalRetention());
        janitor.ticksUntil(() -> journal.entries().isEmpty());
        Heartbeat worker = begun("worker-2");
        ofWorkers.interfere(Death.after("journal.prepare", 1));
        assertThat(Death.of(() -> renamer("worker-2", tree).run(A_TO_B))).isTrue();
        ofWorkers.interfere(Interference.none());

        janitor.ticksUntil(() -> {
            worker.beat();
            return journal.entries().isEmpty();
        });
        janitor.stopAndAwait();

        assertThat(locks.tables()).isEmpty();
        assertThat(state("worker-2")).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void deletes_no_entry_while_the_retention_of_the_log_is_unknown() {
        workerThatDiesMoving().stop();
        janitor.ticksUntil(() -> entry().state() == State.CLOSED);
        AtomicInteger asked = new AtomicInteger();
        logRetention = () -> {
            asked.incrementAndGet();
            throw new NoAnswerException("lost", null);
        };
        time.advance(SETTINGS.journalRetention());
        janitor.ticksUntil(() -> asked.get() == 2);
        janitor.stopAndAwait();

        assertRenamed();
    }

    @Test
    void begins_no_second_journal_cleanup_while_one_runs() {
        AtomicInteger begun = new AtomicInteger();
        logRetention = () -> {
            begun.incrementAndGet();
            return Optional.of(Duration.ofDays(7));
        };
        long ticksOfThreeSweeps = SWEEP_EVERY.multipliedBy(3).dividedBy(SETTINGS.tick());
        for (long i = 0; i < ticksOfThreeSweeps; i++) {
            janitor.ticks();
        }
        janitor.runTasks();
        assertThat(begun).hasValue(1);

        janitor.ticksUntil(() -> begun.get() == 2);
        janitor.stopAndAwait();
    }

    @Test
    void retries_a_parked_rename_after_the_parked_interval_and_not_before() {
        Heartbeat worker = begun("worker-1");
        renamer(
                        "worker-1",
                        new RefusingTreeStore(tree, move -> id(move.document()).equals("a2")))
                .run(A_TO_B);
        worker.stop();

        janitor.ticks(59);
        State before = entry().state();
        janitor.ticks(1);
        janitor.stopAndAwait();

        assertThat(before).isEqualTo(State.PARKED);
        assertRenamed();
    }

    @Test
    void retries_a_parked_rename_at_once_on_request() throws Exception {
        Heartbeat worker = begun("worker-1");
        renamer(
                        "worker-1",
                        new RefusingTreeStore(tree, move -> id(move.document()).equals("a2")))
                .run(A_TO_B);
        worker.stop();
        assertThat(entry().state()).isEqualTo(State.PARKED);

        Future<Result> result = janitor.janitor.retryParked("r1").orElseThrow();
        assertThat(janitor.janitor.retryParked("r1")).as("a second retry").isEmpty();
        janitor.runTasks();

        assertThat(result.get()).isEqualTo(Result.CLOSED);
        Future<Result> again = janitor.janitor.retryParked("r1").orElseThrow();
        janitor.runTasks();
        assertThat(again.get()).isEqualTo(Result.LEFT_ALONE);
        janitor.stopAndAwait();
        assertThat(janitor.janitor.retryParked("r1"))
                .as("a retry after the stop")
                .isEmpty();
        assertRenamed();
    }

    @Test
    void the_result_of_a_retry_is_the_exception_of_the_retry() {
        janitor.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                janitor.stop.abandon();
                throw new NoAnswerException("lost", null);
            }
        });

        Future<Result> result = janitor.janitor.retryParked("r1").orElseThrow();
        janitor.runTasks();

        assertThat(result.state()).isEqualTo(Future.State.FAILED);
        assertThat(result.exceptionNow()).isInstanceOf(FencedException.class);
    }

    @Test
    void only_a_running_janitor_retries_a_parked_rename() {
        CurrentJanitor current = new CurrentJanitor();
        assertThat(current.retryParked("r1")).isEmpty();
        AtomicInteger accepted = new AtomicInteger();
        janitor.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                current.retryParked("r1").ifPresent(result -> accepted.incrementAndGet());
                janitor.stop.request();
            }
        });

        current.run(janitor.janitor);

        assertThat(accepted).hasValue(1);
        assertThat(current.retryParked("r1")).isEmpty();
    }

    @Test
    void parks_a_rename_whose_namespace_is_missing_and_finishes_it_when_it_is_defined_again() {
        workerThatDiesMoving().stop();
        namespaces.remove(FILES.name());
        janitor.ticksUntil(() -> entry().state() == State.PARKED);
        JournalEntry parked = entry();
        janitor.ticks(10);
        JournalEntry later = entry();

        namespaces.define(FILES);
        janitor.ticksUntil(() -> entry().state() == State.CLOSED);
        janitor.stopAndAwait();

        assertThat(later).isEqualTo(parked);
        assertRenamed();
    }

    private static String id(Document document) {
        return document.ref().id();
    }

    @Test
    void repeats_a_search_without_an_answer_at_the_next_tick() {
        workerThatDiesMoving().stop();
        janitor.calls.interfere(new Interference() {
            private int searches;

            @Override
            public void before(Call call) {
                if ((call.name().equals("journal.owners") || call.name().equals("processes.ids")) && ++searches <= 4) {
                    throw new NoAnswerException("lost", null);
                }
            }
        });

        janitor.ticks(2);
        State before = entry().state();
        janitor.ticks(1);
        janitor.stopAndAwait();

        assertThat(before).isEqualTo(State.MOVING);
        assertRenamed();
    }

    @Test
    void runs_the_other_steps_if_a_store_refuses_one() {
        workerThatDiesMoving().stop();
        janitor.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                if (call.name().equals("processes.ids") || call.name().equals("locks.each")) {
                    throw new RefusedException(
                            "a process was written under protocol 2, but this process knows only protocol 1");
                }
            }
        });

        janitor.ticks(13);
        janitor.stopAndAwait();

        assertRenamed();
    }

    @Test
    void rolls_forward_the_other_renames_if_a_store_refuses_one() {
        workerThatDiesMoving().stop();
        put("c", "/c", "file");
        ofWorkers.interfere(Death.after("journal.write MOVING", 1));
        Delivery other = Deliveries.of(Deliveries.rename("r0", "files", "/c", "/d"));
        assertThat(Death.of(() -> renamer("worker-1", tree).run(other))).isTrue();
        ofWorkers.interfere(Interference.none());
        List<String> refused = new ArrayList<>();
        Interference once = Interference.before("outcomes.publish", 1, () -> {
            refused.add("one");
            throw new RefusedException("403");
        });
        janitor.calls.interfere(once);

        janitor.ticksUntil(() -> journal.in(State.needingOwner()).isEmpty());
        janitor.stopAndAwait();

        assertThat(refused).containsExactly("one");
        assertThat(journal.in(Set.of(State.CLOSED))).containsExactlyInAnyOrder("r0", "r1");
        assertThat(locks.tables()).isEmpty();
    }

    @Test
    void reports_each_tick_that_ends_even_without_an_answer() {
        janitor.ticks(2);
        janitor.calls.interfere(Interference.before("journal.owners", 1, () -> {
            throw new NoAnswerException("gone", null);
        }));
        janitor.ticks(1);

        assertThat(janitor.ended).hasValue(3);
    }

    @Test
    void finishes_the_renames_that_it_has_begun_after_a_stop_request() {
        workerThatDiesMoving().stop();

        janitor.ticks();
        janitor.stopAndAwait();

        assertRenamed();
        assertThat(state("janitor-1")).isEqualTo(ProcessState.STOPPED);
    }

    @Test
    void fences_no_process_while_its_own_heartbeat_gets_no_answer() {
        workerThatDiesMoving();
        janitor.ticks(1);

        for (int i = 0; i < 60; i++) {
            time.advance(SETTINGS.tick());
            janitor.janitor.tick();
            janitor.runTasks();
        }
        janitor.stopAndAwait();

        assertThat(state("worker-1")).isEqualTo(ProcessState.LIVE);
        assertThat(Optional.of(entry().ownership().processId())).contains("worker-1");
    }
}
