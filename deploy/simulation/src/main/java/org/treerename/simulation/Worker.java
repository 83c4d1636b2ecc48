package org.treerename.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.treerename.process.FencedException;
import org.treerename.rename.Delivery;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.runtime.StopSignal;
import org.treerename.wire.JsonOutcomeCodec;

/**
 * A worker: takes requests out of the log, and has each carried on a thread of its own. It waits for the end of one before it
 * takes the next, unless the partition is lost meanwhile: then it gives the delivery up, and what is decided goes on.
 */
final class Worker extends Service {

    private static final long IDLE_NANOS = 60_000_000;
    private static final long BUSY_NANOS = 30_000_000;

    Worker(World world, String name) {
        super(world, name);
    }

    @Override
    LongConsumer beginning(Living process) {
        return sentNanos -> {};
    }

    /** One delivery under way. */
    private static final class Carried {
        final StopSignal stop;

        @Nullable
        Answer answer;

        boolean over;

        Carried(StopSignal stop) {
            this.stop = stop;
        }
    }

    @Override
    void work(Living process) {
        RequestLog log = world().log();
        log.join(process.actor());
        Renamer renamer = new Renamer(process.stores(), new JsonOutcomeCodec(), process.carrier());
        List<Carried> givenUp = new ArrayList<>();
        try {
            while (!process.carrier().stop().isRequested()) {
                Optional<Delivery> next = log.poll(process.actor());
                if (next.isEmpty()) {
                    world().scheduler().pause(IDLE_NANOS);
                } else {
                    carry(process, renamer, next.get()).ifPresent(givenUp::add);
                }
            }
            while (!process.carrier().stop().isAbandoned() && !givenUp.stream().allMatch(carried -> carried.over)) {
                world().scheduler().pause(BUSY_NANOS);
            }
        } finally {
            if (process.actor().isAlive()) {
                log.leave(process.actor());
            }
        }
    }

    /** What goes on although the partition is lost; empty where nothing does. */
    private Optional<Carried> carry(Living process, Renamer renamer, Delivery delivery) {
        RequestLog log = world().log();
        Stage stage = world().stage();
        String who = process.actor().name();
        stage.tell(who, () -> "is delivered " + delivery.requestId() + " at " + delivery.place());
        if (!world().wiring().commitsAfterTheEnd()) {
            log.commit(process.actor(), delivery);
        }
        StopSignal stop = process.carrier().stop();
        Carried carried = new Carried(stop.part());
        world().scheduler().begin(process.actor(), () -> {
            try {
                carried.answer = renamer.stoppedBy(carried.stop).run(delivery);
            } catch (FencedException e) {
                stage.tell(who, e::getMessage);
            } finally {
                carried.over = true;
            }
        });
        while (!carried.over && !stop.isAbandoned() && log.has(process.actor(), delivery)) {
            world().scheduler().pause(BUSY_NANOS);
        }
        Answer answer = carried.answer;
        if (!carried.over && !stop.isAbandoned()) {
            stage.happened(Happening.GIVEN_UP_UNDER_WAY, who, () -> "gives " + delivery.place() + " up");
            carried.stop.request();
            return Optional.of(carried);
        }
        if (answer != null && !(answer instanceof Answer.Stopped) && !stop.isAbandoned()) {
            stage.tell(who, () -> "lets " + delivery.place() + " go");
            log.commit(process.actor(), delivery);
        }
        return Optional.empty();
    }
}
