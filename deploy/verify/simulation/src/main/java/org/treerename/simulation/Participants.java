package org.treerename.simulation;

import java.util.ArrayList;
import java.util.List;
import org.treerename.simulation.schedule.Chance;

/**
 * Creates the services, the programs and the users of one run. A kind of participant that occurs only in some runs has
 * its own source of random values. So this kind does not change the random values of other participants.
 */
final class Participants {

    private static final double WRITERS = 0.5;
    private static final double CANCELLERS = 0.3;
    private static final double OPERATORS = 0.7;
    private static final double FOLLOW_UPS = 0.6;
    private static final double READERS = 0.5;
    private static final double ABANDONERS = 0.8;
    private static final double DIRECT = 0.14;

    private final long seed;
    private final World world;
    private final List<ObservedTree> trees;
    private final List<Service> services = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private final Chance ofCancellers;
    private final Cancellers cancellers;
    private final Chance ofAbandoners;
    private final Abandoners abandoners;
    private final Chance ofFollowUps;
    private final FollowUps followUps;

    Participants(long seed, World world, List<ObservedTree> trees) {
        this.seed = seed;
        this.world = world;
        this.trees = trees;
        this.ofCancellers = new Chance(Long.reverse(seed));
        this.cancellers = new Cancellers(world, ofCancellers);
        this.ofAbandoners = new Chance(Long.rotateLeft(seed, 23));
        this.abandoners = new Abandoners(world, ofAbandoners);
        this.ofFollowUps = new Chance(Long.rotateLeft(seed, 31));
        this.followUps = new FollowUps(world, main().scene(), main().witness(), ofFollowUps);
    }

    private ObservedTree main() {
        return trees.getFirst();
    }

    /** Returns the list of all services. Services that are added later appear in this list. */
    List<Service> services() {
        return services;
    }

    Abandoners abandoners() {
        return abandoners;
    }

    Cancellers cancellers() {
        return cancellers;
    }

    void startWorkers() {
        for (int i = 1; i <= 3; i++) {
            start(new WorkerService(world, "worker-" + i));
        }
    }

    void startJanitors(long afterNanos) {
        for (int i = 1; i <= 2; i++) {
            Service janitor = new JanitorService(world, "janitor-" + i);
            services.add(janitor);
            world.scheduler().after(afterNanos, janitor::start);
        }
    }

    /** Starts the writers, operators, users and readers that take part in the run. */
    void startUsers() {
        Chance ofWriters = new Chance(~seed);
        if (ofWriters.happens(WRITERS)) {
            for (int i = 1; i <= 2; i++) {
                start(new WriterService(world, main().witness(), ofWriters, "writer-" + i, Phases.FAULTS_UNTIL));
            }
        }
        Chance ofOperators = new Chance(Long.rotateLeft(~seed, 17));
        if (ofOperators.happens(OPERATORS)) {
            start(new OperatorService(world, ofOperators, "operator", Phases.FAULTS_UNTIL + 3 * Phases.SECOND));
        }
        startDirect(new Chance(Long.rotateLeft(~seed, 52)));
        if (ofCancellers.happens(CANCELLERS)) {
            cancellers.plan(Phases.FAULTS_UNTIL);
        }
        if (ofAbandoners.happens(ABANDONERS)) {
            abandoners.begin(Phases.FAULTS_UNTIL);
        }
        startReaders(new Chance(Long.rotateLeft(seed, 53)));
        // the run plans no undo and no replay if entries expire, because a request that is sent twice could be
        // processed twice
        if (ofFollowUps.happens(FOLLOW_UPS) && !world.settings().areExpiring()) {
            followUps.plan(Phases.FAULTS_UNTIL);
        }
    }

    private void startDirect(Chance chance) {
        if (chance.happens(DIRECT)) {
            int count = 1 + chance.below(2);
            for (int i = 1; i <= count; i++) {
                start(new DirectService(
                        world, main().scene(), main().recorder(), chance, "direct-" + i, Phases.FAULTS_UNTIL));
            }
        }
    }

    private void start(Service service) {
        services.add(service);
        service.start();
    }

    private void startReaders(Chance chance) {
        int most = world.wiring().mostReaders();
        if (most > 0 && chance.happens(READERS)) {
            int count = 1 + chance.below(most);
            for (int i = 1; i <= count; i++) {
                ObservedTree tree = chance.of(trees);
                readers.add(new Reader(world, tree.tree(), tree.witness().model(), chance, "reader-" + i));
            }
            // refresh the indices, so that even a view without a refresh shows the documents from before the run
            world.cluster().refreshItself();
            readers.forEach(reader -> reader.begin(Phases.FAULTS_UNTIL + 2 * Phases.SECOND));
        }
    }

    boolean haveReaders() {
        return !readers.isEmpty();
    }

    /** Returns whether a process may have ended without closing its points in time. */
    boolean mayHaveLeftPits() {
        return Service.anyDied(services) || world.bugs().wasMet();
    }

    /** Kills all processes that have not ended. */
    void bury() {
        services.forEach(Service::bury);
        cancellers.bury();
        abandoners.bury();
        followUps.bury();
        world.operators().bury();
        readers.forEach(Reader::bury);
    }
}
