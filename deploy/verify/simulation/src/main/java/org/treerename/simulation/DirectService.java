package org.treerename.simulation;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.kafka.RequestCodec;
import org.treerename.process.FencedException;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.RetryLimit;
import org.treerename.rename.Stores;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.simulation.schedule.Chance;

/**
 * Runs a program that executes direct renames one after the other, with the components of {@code DirectRenames}. If the
 * process of the program is fenced, the next process runs the same call again. If the process dies, a user sometimes
 * runs the same call again with the same request id. Sometimes the run sends the same request to the log as well.
 */
final class DirectService extends Service {

    private static final String PREFIX = "direct-";
    private static final int MOST_RENAMES = 4;
    private static final double REPEATED = 0.5;
    private static final double ALSO_SENT = 0.2;
    private static final long IDLE_NANOS = 400_000_000;
    private static final long LONGEST_REST_NANOS = 800_000_000;

    private final Scene scene;
    private final Recorder recorder;
    private final Chance chance;
    private final long untilNanos;
    private int begun;

    /** The unfinished call of the last process; null if this process has finished its call. */
    private @Nullable Delivery unended;

    /** Whether the last process was fenced during its call. */
    private boolean isFenced;

    /**
     * @param chance a separate source of random values, so that this class does not change the random values of other
     *     classes
     * @param untilNanos the time after which the program begins no rename
     */
    DirectService(World world, Scene scene, Recorder recorder, Chance chance, String name, long untilNanos) {
        super(world, name);
        this.scene = scene;
        this.recorder = recorder;
        this.chance = chance;
        this.untilNanos = untilNanos;
    }

    /**
     * Returns whether an entry is a placeholder for a direct rename. A janitor creates the placeholder if a lock
     * arrives after the end of the process. The log does not contain the request, so a janitor deletes the entry when
     * it is old.
     */
    static boolean isPlaceholder(JournalEntry entry) {
        return entry.state() == State.RETRY && entry.isPlaceholder() && isDirect(entry.requestId());
    }

    static boolean isDirect(String requestId) {
        return requestId.startsWith(PREFIX);
    }

    @Override
    LongConsumer beginning(SimulatedProcess process) {
        return sentNanos -> {};
    }

    @Override
    void work(SimulatedProcess process) {
        Stores stores = process.stores().all();
        Stores own = new Stores(
                stores.namespaces(), stores.journal(), stores.locks(), stores.tree(), (requestId, outcome) -> {});
        Renamer renamer = new Renamer(own, process.context());
        RetryLimit tries = new RetryLimit(world().settings().maxTries(), world().backoffs(process.time()));
        Delivery last = unended;
        if (last != null) {
            again(process, renamer, tries, last);
        }
        while (!process.context().stop().isRequested()) {
            if (begun >= MOST_RENAMES || world().scheduler().nowNanos() >= untilNanos) {
                world().scheduler().pause(IDLE_NANOS);
            } else {
                world().scheduler().pause(chance.between(0, LONGEST_REST_NANOS));
                if (!process.context().stop().isRequested()
                        && !world().operators().havePaused()) {
                    begin(process, renamer, tries);
                }
            }
        }
    }

    private void begin(SimulatedProcess process, Renamer renamer, RetryLimit tries) {
        begun++;
        RenameRequest request = scene.newRequest(name() + "-" + begun);
        // the request is not sent to the log if entries expire, because a request without its entry would be processed
        // again
        if (chance.happens(ALSO_SENT) && !world().settings().areExpiring()) {
            scene.sendLater(request, chance.between(0, LONGEST_REST_NANOS));
        }
        run(process, renamer, tries, delivery(process, request));
    }

    private static Delivery delivery(SimulatedProcess process, RenameRequest request) {
        return Delivery.direct(
                request, RequestCodec.digest(request), process.time().now());
    }

    private void again(SimulatedProcess process, Renamer renamer, RetryLimit tries, Delivery last) {
        unended = null;
        if (world().settings().areExpiring() || !(last.asked() instanceof RenameRequest request)) {
            return;
        }
        if (isFenced) {
            run(process, renamer, tries, last);
        } else if (chance.happens(REPEATED)) {
            run(process, renamer, tries, delivery(process, request));
        }
    }

    private void run(SimulatedProcess process, Renamer renamer, RetryLimit tries, Delivery delivery) {
        String who = process.actor().name();
        world().stage().happened(Happening.DIRECT, who, () -> "begins " + delivery.requestId() + " directly");
        recorder.sentDirectly(delivery);
        unended = delivery;
        isFenced = false;
        try {
            Answer answer = tries.run(renamer, delivery);
            world().stage().report(who, () -> "has run " + delivery.requestId() + ": " + answer);
            if (answer instanceof Answer.Published) {
                recorder.answeredDirectly(delivery.requestId());
            }
            unended = null;
        } catch (FencedException e) {
            isFenced = true;
            throw e;
        }
    }
}
