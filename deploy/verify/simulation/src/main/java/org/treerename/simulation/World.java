package org.treerename.simulation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;
import org.treerename.process.ProcessContext;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;
import org.treerename.simulation.schedule.Scheduler;
import org.treerename.worker.ConsumerLimits;

/** Creates and stores the parts that all processes of a run use: Elasticsearch, network, topics, trees and settings. */
final class World {

    static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
    static final Namespace FILES = Namespace.ofFiles("files", "files");
    private static final Namespace NOTES = Namespace.ofFiles("notes", "notes");

    private static final double MOST_DRIFT = 0.01;
    private static final double FIRST_PAUSE_MILLIS = 20;
    private static final double GROWTH = 1.7;
    private static final double LONGEST_PAUSE_MILLIS = 2_000;
    private static final long LATEST_START_NANOS = 1_500_000_000;
    private static final int WIDE = 100;

    private final Stage stage;
    private final Settings settings;
    private final Tree main;
    private final Wiring wiring;
    private final Cluster cluster = new Cluster();
    private final Network network;
    private final Bugs bugs;
    private final Operators operators = new Operators(this);
    private final RequestLog log;
    private final Sending sending;
    private final PublishedOutcomes outcomes;
    private final DeadLetterTopic deadLetters;
    private @Nullable QueuedMove plot;
    private final VersionOwner versions;
    private int nodesCutOff;
    private boolean isSecondSilent;

    /**
     * @param versions the system that gives versions to documents
     */
    World(Stage stage, Wiring wiring, VersionOwner versions) {
        this.stage = stage;
        this.wiring = wiring;
        this.settings = Settings.drawn(stage.chance(), wiring.expiringEntries());
        Layout layout = Layout.drawn("files", stage.chance());
        if (layout.isRouted()) {
            stage.tally().count(Happening.ROUTED_DOCUMENTS);
        }
        if (layout.indices().size() > 1) {
            stage.tally().count(Happening.SEVERAL_INDICES);
        }
        this.network = new Network(stage, cluster, Faults.drawn(stage.chance()));
        this.bugs = new Bugs(stage);
        this.log = new RequestLog(
                stage, 1 + stage.chance().below(4), settings.lease().length().toNanos() * 3 / 4);
        this.sending = new Sending(stage);
        this.outcomes = new PublishedOutcomes(stage, sending);
        this.deadLetters = new DeadLetterTopic(stage, sending);
        this.versions = versions;
        this.main = new Tree(namespace(FILES), layout, "");
    }

    private Namespace namespace(Namespace of) {
        Rules usual = of.rules();
        return of.with(
                new Rules(settings.granularity(), usual.orderingDepth(), versions, null, usual.documentsPerSecond()));
    }

    /** Returns the main tree. Writers and operators use only this tree. */
    Tree main() {
        return main;
    }

    /**
     * Creates the second tree. Only renames and readers use this tree.
     *
     * @param chance a separate source of random values, so that the second tree does not change the other random values
     *     of a run
     */
    Tree second(Chance chance) {
        return new Tree(namespace(NOTES), Layout.drawn("notes", chance), Tree.SECOND);
    }

    /**
     * Lets the second tree be silent until the main tree has no unfinished request. The limits of a worker are so large
     * that requests of the second tree do not fill the queue of a partition.
     */
    void silenceSecond() {
        isSecondSilent = true;
        stage.tally().count(Happening.SILENT_TREE);
    }

    boolean isSecondSilent() {
        return isSecondSilent;
    }

    void endSilence() {
        isSecondSilent = false;
        stage.report("cluster", () -> "the second tree answers");
    }

    /** Returns the limits of a worker. */
    ConsumerLimits window() {
        int concurrency = settings.window().concurrency();
        return isSecondSilent ? new ConsumerLimits(concurrency, concurrency + WIDE) : settings.window();
    }

    /**
     * Returns the namespace of the main tree. The granularity and the version owner of this namespace may differ from
     * those of {@link #FILES}.
     */
    Namespace files() {
        return main.namespace();
    }

    Stage stage() {
        return stage;
    }

    Settings settings() {
        return settings;
    }

    Layout layout() {
        return main.layout();
    }

    Wiring wiring() {
        return wiring;
    }

    Cluster cluster() {
        return cluster;
    }

    Network network() {
        return network;
    }

    Operators operators() {
        return operators;
    }

    Bugs bugs() {
        return bugs;
    }

    RequestLog log() {
        return log;
    }

    PublishedOutcomes outcomes() {
        return outcomes;
    }

    DeadLetterTopic deadLetters() {
        return deadLetters;
    }

    /** Ends all faults: cut-off nodes, lost requests and records, simulated bugs, and pauses of the workers. */
    void becomeQuiet() {
        heal();
        network.become(Faults.NONE);
        sending.neverFailAgain();
        bugs.end();
        operators.unpause();
    }

    /** Returns the correct time. */
    Instant now() {
        return START.plusNanos(scheduler().nowNanos());
    }

    /**
     * Returns the number of the next node to cut off. Numbers begin at 1, because 0 means a node that is not cut off.
     */
    int nextNode() {
        nodesCutOff++;
        return nodesCutOff;
    }

    Scheduler scheduler() {
        return stage.scheduler();
    }

    Actor actor(String name) {
        Chance chance = stage.chance();
        double rate = 1 + MOST_DRIFT * (2 * chance.share() - 1);
        return scheduler().actor(name, rate, chance.between(0, 1_000_000_000_000L));
    }

    SimulatedTime time(Actor actor) {
        long wrong = stage.chance().between(-settings.mostWrongMillis(), settings.mostWrongMillis());
        return new SimulatedTime(scheduler(), actor, START.plusMillis(wrong));
    }

    /**
     * Returns the context of a process. The pauses are calculated as in {@link Backoff.Factory#jittered}, with random
     * values of the run. The hold ids of the context are unique.
     */
    ProcessContext context(String processId, SimulatedTime time, StopSignal stop) {
        int[] holds = {0};
        return new ProcessContext(
                processId,
                time,
                backoffs(time),
                settings.lockWait(),
                settings.maxPasses(),
                stop,
                wiring.holdIds(processId, () -> processId + "#" + ++holds[0]));
    }

    Backoff.Factory backoffs(SimulatedTime time) {
        return new Backoff.Factory(time, this::pauseMillis);
    }

    private long pauseMillis(int tries) {
        double middle = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * Math.pow(GROWTH, Math.min(tries, 20) - 1));
        return Math.max(1, (long) (middle * (0.5 + stage.chance().share())));
    }

    void reportMoves(QueuedMove next) {
        plot = next;
    }

    void moves(Service service) {
        if (plot != null) {
            plot.moves(service);
        }
    }

    void scans(Service service) {
        if (plot != null) {
            plot.scans(service);
        }
    }

    void heal() {
        stage.report("cluster", () -> "has no cut-off nodes any more");
        cluster.heal();
        network.heal();
    }

    void startLater(Service service) {
        scheduler().after(stage.chance().between(0, LATEST_START_NANOS), service::start);
    }
}
