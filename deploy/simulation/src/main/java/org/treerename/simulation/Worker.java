package org.treerename.simulation;

import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.treerename.process.FencedException;
import org.treerename.rename.Delivery;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.wire.JsonOutcomeCodec;

/** A worker: takes requests out of the log, one at a time, and has each carried on a thread of its own. */
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
        @Nullable
        Answer answer;

        boolean over;
    }

    @Override
    void work(Living process) {
        RequestLog log = world().log();
        log.join(process.actor());
        Renamer renamer = new Renamer(process.stores(), new JsonOutcomeCodec(), process.carrier());
        try {
            while (!process.carrier().stop().isRequested()) {
                Optional<Delivery> next = log.poll(process.actor());
                if (next.isEmpty()) {
                    world().scheduler().pause(IDLE_NANOS);
                } else {
                    carry(process, renamer, next.get());
                }
            }
        } finally {
            if (process.actor().isAlive()) {
                log.leave(process.actor());
            }
        }
    }

    private void carry(Living process, Renamer renamer, Delivery delivery) {
        world().stage()
                .tell(process.actor().name(), () -> "is delivered " + delivery.requestId() + " at " + delivery.place());
        if (!world().wiring().commitsAfterTheEnd()) {
            world().log().commit(process.actor(), delivery);
        }
        Carried carried = new Carried();
        world().scheduler().begin(process.actor(), () -> {
            try {
                carried.answer = renamer.run(delivery);
            } catch (FencedException e) {
                world().stage().tell(process.actor().name(), e::getMessage);
            } finally {
                carried.over = true;
            }
        });
        while (!carried.over && !process.carrier().stop().isAbandoned()) {
            world().scheduler().pause(BUSY_NANOS);
        }
        Answer answer = carried.answer;
        if (answer != null
                && !(answer instanceof Answer.Stopped)
                && !process.carrier().stop().isAbandoned()) {
            world().stage().tell(process.actor().name(), () -> "lets " + delivery.place() + " go");
            world().log().commit(process.actor(), delivery);
        }
    }
}
