package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.treerename.checker.Checker;
import org.treerename.checker.Violation;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.LockTable;
import org.treerename.namespace.VersionOwner;
import org.treerename.rename.WriteLocks;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.schedule.Chance;

/**
 * One run. Workers, janitors and outside writers work on one tree or two, and faults happen. In some runs writers take part in
 * the locks, and operators cancel, undo and replay requests. Then the faults end, and the run must come to rest. The same seed gives the
 * same run.
 */
public final class Simulation {

    private static final long SECOND = 1_000_000_000;
    private static final long REQUESTS_UNTIL = 3 * SECOND;
    private static final long FAULTS_UNTIL = 6 * SECOND;
    private static final long REST_BY = FAULTS_UNTIL + 60 * SECOND;
    private static final long LOOK_EVERY = SECOND / 4;

    /**
     * The result of a run.
     *
     * @param violations a text for each violation; empty if there is none
     * @param history the lines of the history; empty if it was not requested
     * @param fingerprint the fingerprint of the history, also if the history was not requested
     */
    public record Result(
            long seed,
            List<String> violations,
            Tally tally,
            long steps,
            int renames,
            List<String> history,
            long fingerprint) {
        public Result {
            violations = List.copyOf(violations);
            history = List.copyOf(history);
        }
    }

    private static final long SOON = SECOND / 40;
    private static final long FROZEN_LONG = 3 * SECOND;
    private static final double NO_JANITORS = 0.1;
    private static final double WRITERS = 0.5;
    private static final double EXTERNAL = 0.2;
    private static final double CANCELLERS = 0.3;
    private static final double OPERATORS = 0.7;
    private static final double SECOND_TREE = 0.15;
    private static final double FOLLOW_UPS = 0.6;
    private static final double READERS = 0.5;
    private static final int MOST_FAILURES = 12;

    /**
     * The time at which late janitors start. All late requests have arrived before, and every process has then made one
     * more attempt.
     */
    private static final long JANITORS_COME = FAULTS_UNTIL + Faults.LATEST.toNanos() + 5 * SECOND;

    private static final long WAITS_FIRST = JANITORS_COME - 4 * SECOND;
    private static final List<State> TRAPS = List.of(
            State.PREPARED,
            State.PREPARED,
            State.PREPARED,
            State.MOVING,
            State.MOVING,
            State.MOVING,
            State.DONE,
            State.REJECTED);

    private final long seed;
    private final Stage stage;
    private final World world;
    private final Play main;
    private final List<Play> plays = new ArrayList<>();
    private final List<Service> services = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private @Nullable State trap;

    /** Whether all faults have ended. */
    private boolean isCalm;

    /** The time of the next check whether the world is at rest. */
    private long lookAt = FAULTS_UNTIL;

    /**
     * Whether a node is cut off soon after the next repeated attempt of a request. A client of this node then reads the
     * entry of the earlier attempt. In the lock tables it reads the holds of the later attempt.
     */
    private boolean cutsOffNextAttempt;

    private final Waiters waiters;
    private final Wakes wakes;
    private final QueuedMove plot;
    private final IndexMadeAgain recreated;
    private final ReplacedFiles replacedFiles;
    private final Chance ofCancellers;
    private final Cancellers cancellers;
    private final Chance ofFollowUps;
    private final FollowUps followUps;

    /** One tree, its requests, and the observers of its writes. */
    private record Play(Tree tree, Witness witness, Recorder recorder, Scene scene) {}

    private Simulation(long seed, Wiring wiring, boolean withHistory) {
        this.seed = seed;
        this.stage = new Stage(seed, new History(withHistory));
        this.world = new World(stage, wiring, versions(new Chance(Long.reverse(~seed))));
        this.main = play(world.main());
        Chance ofTrees = new Chance(Long.rotateLeft(seed, 47));
        if (ofTrees.happens(SECOND_TREE)) {
            stage.tally().count(Happening.SECOND_TREE);
            play(world.second(ofTrees));
        }
        this.waiters = new Waiters(world, services);
        this.wakes = new Wakes(world, waiters);
        this.plot = new QueuedMove(world, FAULTS_UNTIL);
        this.recreated = new IndexMadeAgain(
                world, plays.stream().map(Play::tree).toList(), new Chance(Long.rotateLeft(seed, 11)));
        this.replacedFiles = new ReplacedFiles(world, new Chance(Long.rotateLeft(~seed, 37)), FAULTS_UNTIL);
        this.ofCancellers = new Chance(Long.reverse(seed));
        this.cancellers = new Cancellers(world, ofCancellers);
        this.ofFollowUps = new Chance(Long.rotateLeft(seed, 31));
        this.followUps = new FollowUps(world, main.scene(), main.witness(), ofFollowUps);
    }

    private Play play(Tree tree) {
        Witness witness = new Witness(world, tree, this::spring, (rename, id) -> replacedFiles.removed(rename, id));
        Recorder recorder = new Recorder(world.cluster(), tree, witness, world::now);
        Play play = new Play(tree, witness, recorder, new Scene(world, tree, witness, recorder));
        plays.add(play);
        return play;
    }

    /**
     * Draws the system that gives versions to documents. Uses a separate source of random values, so that runs in which
     * Elasticsearch gives the versions do not change.
     */
    private static VersionOwner versions(Chance chance) {
        double share = chance.share();
        if (share >= EXTERNAL) {
            return VersionOwner.SEQ_NO;
        }
        return share < EXTERNAL / 2 ? VersionOwner.EXTERNAL : VersionOwner.EXTERNAL_GTE;
    }

    /** Runs a seed. */
    public static Result run(long seed, Wiring wiring, boolean withHistory) {
        return new Simulation(seed, wiring, withHistory).run();
    }

    private Result run() {
        begin();
        stage.scheduler().runWhile(this::goesOn);
        if (!stage.violations().any()) {
            judge();
        }
        stage.violations().found().forEach(words -> stage.report("checker", () -> words));
        Result result = new Result(
                seed,
                stage.violations().found(),
                stage.tally(),
                stage.scheduler().steps(),
                plays.stream().mapToInt(play -> play.scene().requests().size()).sum(),
                stage.history().lines(),
                stage.history().fingerprint());
        services.forEach(Service::bury);
        cancellers.bury();
        followUps.bury();
        world.operators().bury();
        readers.forEach(Reader::bury);
        return result;
    }

    /** Returns whether the next event may run: the world is not at rest, and there is no violation. */
    private boolean goesOn() {
        boolean resting = false;
        long now = stage.scheduler().nowNanos();
        if (isCalm && now >= lookAt) {
            lookAt = now + LOOK_EVERY;
            wakes.poll();
            resting = isResting();
            if (now > REST_BY) {
                stage.violations().add(Point.LIVENESS, "does not come to rest: " + unrest());
            }
        }
        return !resting && !stage.violations().any();
    }

    private void begin() {
        Chance chance = stage.chance();
        for (Play play : plays) {
            play.scene().build();
            play.recorder().begin();
        }
        List<Recorder> recorders = plays.stream().map(Play::recorder).toList();
        world.cluster().watch(new Observers(recorders, stage.violations()));
        world.outcomes()
                .watch((requestId, outcome) -> recorders.stream()
                        .filter(recorder -> recorder.tree().hasRequest(requestId))
                        .forEach(recorder -> recorder.published(requestId, world.now(), outcome)));
        world.deadLetters()
                .watch((place, reason) -> recorders.forEach(recorder -> recorder.keptDeadLetter(place, reason)));
        for (int i = 1; i <= 3; i++) {
            services.add(new WorkerService(world, "worker-" + i));
        }
        world.tellOfMoves(plot);
        if (chance.happens(0.8)) {
            refreshItself(chance.between(SECOND / 20, SECOND / 2));
        }
        services.forEach(Service::start);
        boolean janitors = !chance.happens(NO_JANITORS);
        for (int i = 1; i <= 2; i++) {
            Service janitor = new JanitorService(world, "janitor-" + i);
            services.add(janitor);
            stage.scheduler().after(janitors ? 0 : JANITORS_COME, janitor::start);
        }
        if (!janitors) {
            stage.happened(Happening.NO_JANITORS, "janitors", () -> "start late");
            Waits waits = new Waits(world, waiters);
            stage.scheduler().after(WAITS_FIRST, waits::note);
            stage.scheduler().after(JANITORS_COME, waits::judge);
        }
        Chance ofWriters = new Chance(~seed);
        if (ofWriters.happens(WRITERS)) {
            for (int i = 1; i <= 2; i++) {
                Service writer = new WriterService(world, main.witness(), ofWriters, "writer-" + i, FAULTS_UNTIL);
                services.add(writer);
                writer.start();
            }
        }
        Chance ofOperators = new Chance(Long.rotateLeft(~seed, 17));
        if (ofOperators.happens(OPERATORS)) {
            Service operator = new OperatorService(world, ofOperators, "operator", FAULTS_UNTIL + 3 * SECOND);
            services.add(operator);
            operator.start();
        }
        if (ofCancellers.happens(CANCELLERS)) {
            cancellers.plan(FAULTS_UNTIL);
        }
        Chance ofReaders = new Chance(Long.rotateLeft(seed, 53));
        if (world.wiring().mostReaders() > 0 && ofReaders.happens(READERS)) {
            int count = 1 + ofReaders.below(world.wiring().mostReaders());
            for (int i = 1; i <= count; i++) {
                Play play = ofReaders.of(plays);
                readers.add(new Reader(world, play.tree(), play.witness().model(), ofReaders, "reader-" + i));
            }
            // a refresh, so that a view without a refresh also shows the documents from before the run
            world.cluster().refreshItself();
            readers.forEach(reader -> reader.begin(FAULTS_UNTIL + 2 * SECOND));
        }
        // no such commands if entries expire, because a request that is sent twice may then be processed twice
        if (ofFollowUps.happens(FOLLOW_UPS) && !world.settings().areExpiring()) {
            followUps.plan(FAULTS_UNTIL);
        }
        if (world.settings().areExpiring()) {
            long retention = world.settings().retention().toNanos();
            main.scene().planLast(chance.between(REQUESTS_UNTIL + retention, FAULTS_UNTIL + 2 * retention), retention);
        }
        for (Play play : plays) {
            int count = play.tree().isSecond() ? 1 + chance.below(5) : 3 + chance.below(6);
            play.scene().plan(count, janitors ? REQUESTS_UNTIL : FAULTS_UNTIL);
        }
        for (int i = 1; i <= 2; i++) {
            new OutsideWriter(world, i).begin(FAULTS_UNTIL, SECOND * (1 + chance.below(4)) / 4);
        }
        plan();
        recreated.plan(FAULTS_UNTIL);
        stage.scheduler().after(FAULTS_UNTIL, this::calm);
    }

    private void plan() {
        Chance chance = stage.chance();
        several(2, () -> {
            Service service = chance.of(services);
            if (service.isUp()) {
                service.crash();
            }
        });
        several(2, () -> chance.of(services).freeze(chance.between(SECOND / 2, 5 * SECOND)));
        several(2, () -> {
            Service service = chance.of(services);
            if (service.isUp()) {
                service.shutDown(world.settings().grace().toNanos());
            }
        });
        several(1, () -> world.log().rebalance());
        several(1, () -> world.log().expelAMember());
        if (chance.happens(0.2)) {
            stage.scheduler()
                    .after(
                            chance.between(0, FAULTS_UNTIL - 1),
                            () -> world.log().addPartition());
        }
        several(2, () -> {
            int shard = chance.below(world.cluster().shardCount());
            stage.happened(Happening.FAILOVER, "cluster", () -> "shard " + shard + " fails over");
            world.cluster().failOver(shard);
        });
        several(4, this::setTrap);
        several(3, () -> cutOff(0.6));
        several(1, () -> cutsOffNextAttempt = true);
        if (chance.happens(0.95)) {
            stage.scheduler().after(chance.between(0, REQUESTS_UNTIL / 2), plot::begin);
            stage.scheduler().after(chance.between(REQUESTS_UNTIL / 2, REQUESTS_UNTIL), plot::begin);
        }
        several(1, this::block);
        several(1, () -> {
            Service service = chance.of(services);
            if (service.isUp()) {
                world.bugs().hang(Objects.requireNonNull(service.living()).actor());
            }
        });
        several(1, () -> world.bugs().fail(1 + chance.below(MOST_FAILURES)));
        several(2, this::jump);
        several(1, () -> chance.of(services).suspend(chance.between(SECOND / 2, 5 * SECOND)));
        several(1, this::refuse);
        several(2, () -> {
            if (world.cluster().openPits() > 0) {
                stage.happened(Happening.EXPIRED_PITS, "cluster", () -> "deletes all points in time");
                world.cluster().expirePits();
            }
        });
        several(1, () -> world.operators().pauseForAWhile());
        several(1, () -> world.operators().fenceALiveProcess());
    }

    /** Plans an event up to {@code most} times. In half of all runs it plans the event zero times. */
    private void several(int most, Runnable event) {
        Chance chance = stage.chance();
        int times = chance.happens(0.5) ? 0 : 1 + chance.below(most);
        for (int i = 0; i < times; i++) {
            stage.scheduler().after(chance.between(0, FAULTS_UNTIL - 1), event);
        }
    }

    /**
     * Sets a trap. The next process that writes an entry in the state of the trap crashes or freezes soon after. A
     * process that gets a lock for a request without an entry mostly crashes or freezes as well, without a trap.
     */
    private void setTrap() {
        trap = stage.chance().of(TRAPS);
    }

    private void spring(Sender sender, @Nullable JournalEntry entry) {
        if (entry != null) {
            recreated.wrote(entry);
            replacedFiles.wrote(entry);
        }
        if (cutsOffNextAttempt
                && entry != null
                && entry.state() == State.PREPARED
                && entry.ownership().epoch() > 1
                && stage.scheduler().nowNanos() < FAULTS_UNTIL) {
            cutsOffNextAttempt = false;
            stage.scheduler().after(stage.chance().between(0, SOON), () -> cutOff(1));
        }
        boolean springs = entry == null ? stage.chance().happens(0.9) : trap == entry.state();
        if (!springs || stage.scheduler().nowNanos() >= FAULTS_UNTIL) {
            return;
        }
        for (Service service : services) {
            if (service.isUp()
                    && Objects.requireNonNull(service.living()).actor().name().equals(sender.name())) {
                Chance chance = stage.chance();
                boolean crashes = chance.happens(0.6);
                // if a process freezes for long while it moves documents, another process may end its rename before it
                // continues
                long least = trap == State.MOVING ? FROZEN_LONG : SECOND / 2;
                trap = null;
                stage.scheduler().after(chance.between(0, SOON), () -> {
                    if (crashes && service.isUp()) {
                        service.crash();
                    } else {
                        service.freeze(chance.between(least, 5 * SECOND));
                    }
                });
            }
        }
    }

    private void refreshItself(long everyNanos) {
        stage.scheduler().afterWithoutKill(everyNanos, () -> {
            world.cluster().refreshItself();
            refreshItself(everyNanos);
        });
    }

    /**
     * @param ofControl the probability that the control index is cut off as well
     */
    private void cutOff(double ofControl) {
        Chance chance = stage.chance();
        List<String> cut = new ArrayList<>();
        int node = world.nextNode();
        for (int shard = 0; shard < world.cluster().shardCount(); shard++) {
            if (chance.happens(shard == 0 ? ofControl : 0.6)) {
                world.cluster().cutOff(shard, node);
                cut.add("shard " + shard);
            }
        }
        for (Service service : services) {
            if (chance.happens(0.4) && service.isUp()) {
                world.network().cutOff(Objects.requireNonNull(service.living()).actor(), node);
                cut.add(service.name());
            }
        }
        stage.happened(Happening.CUT_OFF, "cluster", () -> "a node is cut off, together with " + cut);
        if (world.cluster().hasSeveralStaleCopies()) {
            stage.tally().count(Happening.SEVERAL_STALE_COPIES);
        }
        stage.scheduler().after(chance.between(SECOND / 5, 3 * SECOND), world::heal);
    }

    private void block() {
        stage.happened(Happening.BLOCKED_INDEX, "cluster", () -> "writes into the index are blocked");
        world.layout().block(world.cluster(), true);
        stage.scheduler().after(stage.chance().between(SECOND / 10, SECOND), this::unblock);
    }

    /**
     * Sets a wall clock days forward or hours back. Two kinds of clocks are never set back:
     * <ul>
     *   <li>the clock of a writer, because the writer measures with it how long its machine was suspended and how old
     *       its entries are;
     *   <li>any clock if entries expire. A clock may be behind by more than the retention. Then an entry that ends with
     *       the time of this clock would expire at once.
     * </ul>
     */
    private void jump() {
        Chance chance = stage.chance();
        Service service = chance.of(services);
        SimulatedProcess living = service.living();
        if (living != null) {
            Duration by = chance.happens(0.6)
                    ? Duration.ofDays(1 + chance.below(60))
                    : Duration.ofHours(-1 - chance.below(48));
            boolean givesAges =
                    service instanceof WriterService || world.settings().areExpiring();
            if (by.isNegative() && givesAges) {
                return;
            }
            stage.happened(Happening.CLOCK_JUMP, living.actor().name(), () -> "its wall clock jumps by " + by);
            living.time().jump(by);
        }
    }

    private void refuse() {
        stage.happened(Happening.CONTROL_INDEX_REFUSES, "cluster", () -> "refuses requests for the control index");
        world.cluster().refuseControl(true);
        stage.scheduler().after(stage.chance().between(SECOND / 10, 2 * SECOND), this::acceptControl);
    }

    private void acceptControl() {
        stage.report("cluster", () -> "answers requests for the control index again");
        world.cluster().refuseControl(false);
    }

    private void unblock() {
        stage.report("cluster", () -> "writes into the index are possible again");
        world.layout().block(world.cluster(), false);
    }

    /** Ends all faults. */
    private void calm() {
        isCalm = true;
        stage.report("cluster", () -> "all faults end");
        world.becomeQuiet();
        unblock();
        acceptControl();
    }

    /** Returns whether {@link #unrest} is empty. Most calls need only its first reasons, and no texts. */
    private boolean isResting() {
        return isLogDone()
                && world.cluster().control(JournalEntry.class).stream().noneMatch(this::isOpen)
                && unrest().isEmpty();
    }

    private boolean isLogDone() {
        return main.scene().isLastSent() && world.log().isDone();
    }

    /** Returns whether a process must still work on an entry. */
    private boolean isOpen(JournalEntry entry) {
        return entry.state() != State.CLOSED && !isPlaceholderOfWriter(entry) && !recreated.isStranded(entry);
    }

    private boolean mayHaveLeftPits() {
        return Service.anyDied(services) || world.bugs().wasMet();
    }

    private List<String> unrest() {
        List<String> left = new ArrayList<>();
        if (!isLogDone()) {
            left.add("requests are not sent, or their offsets are not committed");
        }
        for (JournalEntry entry : world.cluster().control(JournalEntry.class)) {
            if (isOpen(entry)) {
                left.add(entry.requestId() + " is " + entry.state() + ", owned by "
                        + entry.ownership().processId());
            }
        }
        if (world.cluster().openPits() > 0 && !mayHaveLeftPits()) {
            left.add("points in time are open");
        }
        world.cluster().control(LockTable.class).stream()
                .filter(table -> !recreated.isOfStrandedAlone(table))
                .forEach(table -> left.add(table.id() + " has holds "
                        + table.holds().keySet() + ", claims " + table.claims().keySet()));
        return left;
    }

    /**
     * Returns whether an entry is a placeholder for a late lock of a writer whose process has ended. The log has no
     * record for such an entry. The entry is deleted when it is old.
     */
    private static boolean isPlaceholderOfWriter(JournalEntry entry) {
        return entry.state() == State.RETRY && entry.requestId().startsWith(WriteLocks.PREFIX);
    }

    /**
     * Checks the world at rest. Runs the checker and the auditor. Also checks the witnesses and the answers to
     * cancellations.
     */
    private void judge() {
        plays.forEach(this::judge);
        if (!stage.violations().any()) {
            cancellers.judge(
                    requestId -> world.outcomes().of(requestId).stream().findFirst());
        }
        if (!stage.violations().any()) {
            services.forEach(Service::bury);
            cancellers.bury();
            followUps.bury();
            world.operators().bury();
            readers.forEach(Reader::bury);
            world.network().close();
            world.cluster().watchNoMore();
            new Audits(world, plays.stream().map(Play::tree).toList(), recreated.stranded()).judge();
        }
    }

    private void judge(Play play) {
        long atRest = stage.scheduler().nowNanos();
        Witness witness = play.witness();
        for (Violation violation : Checker.check(play.recorder()
                .run(mayHaveLeftPits(), Recorder.bound(atRest - FAULTS_UNTIL, REST_BY - FAULTS_UNTIL)))) {
            stage.violations().add(violation);
        }
        Set<String> stranded = recreated.strandedRequests();
        for (String requestId : play.scene().requests().keySet()) {
            Set<String> texts = new TreeSet<>(world.outcomes().of(requestId));
            if (stranded.contains(requestId)) {
                if (!texts.isEmpty()) {
                    stage.violations().add(Point.ONCE, requestId + " is parked, but has the outcome " + texts);
                }
            } else if (texts.size() != 1) {
                stage.violations()
                        .add(
                                Point.ONCE,
                                "expected one outcome of " + requestId + ", found " + texts.size() + ": " + texts);
            } else if (texts.stream().allMatch(text -> text.contains("\"status\":\"completed\""))
                    != witness.isCommitted(requestId)) {
                stage.violations()
                        .add(
                                Point.ALL_OR_NOTHING,
                                requestId + (witness.isCommitted(requestId) ? " is" : " is not")
                                        + " committed, but has the outcome " + texts);
            }
        }
        List<Cluster.Standing> documents = play.tree().documents(world.cluster());
        SortedMap<String, String> found = new TreeMap<>();
        documents.forEach(standing -> {
            if (!standing.id().startsWith(Witness.OUTSIDE)) {
                found.put(standing.id(), String.valueOf(standing.document().text("path")));
            }
        });
        Map<String, String> expected = witness.model().paths();
        recreated.finish(witness, found, expected);
        if (!found.equals(expected)) {
            stage.violations().add(Point.SERIAL_ORDER, "expected the tree " + expected + ", found " + found);
        }
        Map<String, Long> standing = documents.stream()
                .filter(document -> !witness.mayShareAPath(document.id()))
                .collect(Collectors.groupingBy(
                        document -> String.valueOf(document.document().text("path")),
                        TreeMap::new,
                        Collectors.counting()));
        standing.values().removeIf(count -> count == 1);
        if (!standing.isEmpty()) {
            stage.violations().add(Point.PATHS, "expected one document at each path, found more at " + standing);
        }
    }
}
