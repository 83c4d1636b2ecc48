package org.treerename.simulation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.namespace.VersionOwner;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.schedule.Chance;

/**
 * One run of the simulation. Workers, janitors and outside writers work on one or two trees, and faults happen. Outside
 * writers use no locks. In some runs, other writers acquire locks, and operators cancel, undo and replay requests.
 * After a fixed time the faults end, and the run must come to rest. The same seed gives the same run.
 */
public final class Simulation {

    private static final double NO_JANITORS = 0.1;
    private static final double REFRESHES = 0.8;
    private static final double EXTERNAL = 0.2;
    private static final double SECOND_TREE = 0.15;
    private static final double SILENT_TREE = 0.3;

    /**
     * The result of a run.
     *
     * @param violations the texts of the first violations; empty if the run has no violation
     * @param history the lines of the history; empty if the caller did not request the history
     * @param fingerprint the fingerprint of the history, which is calculated in every run
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

    private final long seed;
    private final Stage stage;
    private final World world;
    private final List<ObservedTree> trees = new ArrayList<>();
    private final Participants participants;
    private final QueuedMove queuedMove;
    private final RandomFaults faults;
    private final IndexMadeAgain recreated;
    private final ForgottenMoves forgotten;
    private final ReplacedFiles replacedFiles;
    private final RestCheck rest;

    private Simulation(long seed, Wiring wiring, boolean withHistory) {
        this.seed = seed;
        this.stage = new Stage(seed, new History(withHistory));
        this.world = new World(stage, wiring, versions(new Chance(Long.reverse(~seed))));
        this.replacedFiles = new ReplacedFiles(world, new Chance(Long.rotateLeft(~seed, 37)), Phases.FAULTS_UNTIL);
        observe(world.main());
        Chance ofTrees = new Chance(Long.rotateLeft(seed, 47));
        if (ofTrees.happens(SECOND_TREE)) {
            stage.tally().count(Happening.SECOND_TREE);
            observe(world.second(ofTrees));
            if (ofTrees.happens(SILENT_TREE)) {
                world.silenceSecond();
            }
        }
        this.participants = new Participants(seed, world, trees);
        this.queuedMove = new QueuedMove(world, Phases.FAULTS_UNTIL);
        world.reportMoves(queuedMove);
        this.faults = new RandomFaults(world, participants.services(), queuedMove);
        this.recreated = new IndexMadeAgain(
                world, trees.stream().map(ObservedTree::tree).toList(), new Chance(Long.rotateLeft(seed, 11)));
        this.forgotten = new ForgottenMoves(
                world, new Chance(Long.rotateLeft(seed, 41)), trees.getFirst().recorder());
        this.rest = new RestCheck(
                world, trees.getFirst().scene(), participants, recreated, new Waiters(world, participants.services()));
    }

    private void observe(Tree tree) {
        trees.add(ObservedTree.of(world, tree, this::wrote, replacedFiles::removed));
    }

    /** The source of random values is a separate one, so that this choice does not change the other values of a run. */
    private static VersionOwner versions(Chance chance) {
        double share = chance.share();
        if (share >= EXTERNAL) {
            return VersionOwner.SEQ_NO;
        }
        return share < EXTERNAL / 2 ? VersionOwner.EXTERNAL : VersionOwner.EXTERNAL_GTE;
    }

    /** Runs the simulation with one seed until the run is at rest or has a violation. */
    public static Result run(long seed, Wiring wiring, boolean withHistory) {
        return new Simulation(seed, wiring, withHistory).run();
    }

    private Result run() {
        begin();
        stage.scheduler().runWhile(() -> !rest.poll() && !stage.violations().any());
        if (!stage.violations().any()) {
            new FinalCheck(world, trees, participants, recreated).run();
        }
        stage.violations().found().forEach(words -> stage.report("checker", () -> words));
        Result result = new Result(
                seed,
                stage.violations().found(),
                stage.tally(),
                stage.scheduler().steps(),
                trees.stream().mapToInt(tree -> tree.scene().requests().size()).sum(),
                stage.history().lines(),
                stage.history().fingerprint());
        participants.bury();
        return result;
    }

    /** Another order of these steps would change every run, because most steps draw random values. */
    private void begin() {
        Chance chance = stage.chance();
        trees.forEach(ObservedTree::begin);
        recordEvents();
        if (chance.happens(REFRESHES)) {
            refreshItself(chance.between(Phases.SECOND / 20, Phases.SECOND / 2));
        }
        participants.startWorkers();
        boolean janitors = !chance.happens(NO_JANITORS);
        participants.startJanitors(janitors ? 0 : Phases.JANITORS_COME);
        if (!janitors) {
            stage.happened(Happening.NO_JANITORS, "janitors", () -> "start late");
        }
        participants.startUsers();
        planRequests(janitors ? Phases.REQUESTS_UNTIL : Phases.FAULTS_UNTIL);
        for (int i = 1; i <= 2; i++) {
            new OutsideWriter(world, i).begin(Phases.FAULTS_UNTIL, Phases.SECOND * (1 + chance.below(4)) / 4);
        }
        faults.plan();
        queuedMove.planParked(new Chance(Long.rotateLeft(seed, 29)));
        recreated.plan(participants.haveReaders(), Phases.FAULTS_UNTIL);
        forgotten.plan();
        new AliasChanges(world, new Chance(Long.rotateLeft(seed, 23)))
                .plan(participants.haveReaders(), Phases.FAULTS_UNTIL);
        stage.scheduler().after(Phases.FAULTS_UNTIL, this::calm);
    }

    private void recordEvents() {
        List<Recorder> recorders = trees.stream().map(ObservedTree::recorder).toList();
        world.cluster().watch(new Observers(recorders, stage.violations()));
        world.outcomes()
                .watch((requestId, outcome) -> recorders.stream()
                        .filter(recorder -> recorder.tree().hasRequest(requestId))
                        .forEach(recorder -> recorder.published(requestId, world.now(), outcome)));
        world.deadLetters()
                .watch((place, reason) -> recorders.forEach(recorder -> recorder.keptDeadLetter(place, reason)));
    }

    private void planRequests(long untilNanos) {
        Chance chance = stage.chance();
        if (world.settings().areExpiring()) {
            long retention = world.settings().retention().toNanos();
            long atNanos = chance.between(Phases.REQUESTS_UNTIL + retention, Phases.FAULTS_UNTIL + 2 * retention);
            trees.getFirst().scene().planLast(atNanos, retention);
        }
        for (ObservedTree tree : trees) {
            int count = tree.tree().isSecond() ? 1 + chance.below(5) : 3 + chance.below(6);
            tree.scene().plan(count, untilNanos);
        }
    }

    private void refreshItself(long everyNanos) {
        stage.scheduler().afterWithoutKill(everyNanos, () -> {
            world.cluster().refreshItself();
            refreshItself(everyNanos);
        });
    }

    /** The entry is null if a lock was written for a request without an entry. */
    private void wrote(Sender sender, @Nullable JournalEntry entry) {
        if (entry != null) {
            recreated.wrote(entry);
            replacedFiles.wrote(entry);
            queuedMove.wrote(entry);
            forgotten.wrote(entry);
            participants.abandoners().wrote(entry);
        }
        faults.trap().wrote(sender, entry);
    }

    private void calm() {
        stage.report("cluster", () -> "all faults end");
        rest.calm();
        faults.end();
    }
}
