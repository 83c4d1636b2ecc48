package org.treerename.producer.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.recovery.DeathWatch;
import org.treerename.janitor.recovery.OwnWrites;
import org.treerename.process.ProcessState;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;

/** Tests a writer together with the janitor that fences it. */
class FencedWriterTest extends WriterFixture {

    private void loseHeartbeats() {
        heartbeats.interfere(new Interference() {
            @Override
            public void before(Call call) {
                throw new NoAnswerException("no answer", null);
            }
        });
    }

    @Test
    void reports_a_loss_before_another_process_can_fence_this_one() {
        OwnWrites ownWrites = new OwnWrites();
        DeathWatch watch = new DeathWatch(processes, time, ownWrites, LEASE);
        Duration step = LEASE.length().dividedBy(20);
        incarnation.beat();
        watch.poll();
        WriteHold hold = acquire();
        long begun = time.nanos();
        List<Duration> lostAfter = new ArrayList<>();
        hold.onLoss(() -> lostAfter.add(Duration.ofNanos(time.nanos() - begun)));
        loseHeartbeats();

        while (processes.read(ID).orElseThrow().value().state() == ProcessState.LIVE) {
            time.advance(step);
            ownWrites.acknowledged(time.nanos());
            incarnation.beat();
            process.watch();
            watch.poll();
        }

        Duration fencedAfter = Duration.ofNanos(time.nanos() - begun);
        assertThat(lostAfter)
                .singleElement()
                .satisfies(after -> assertThat(after)
                        .isGreaterThan(LEASE.doubtAfter())
                        .isLessThanOrEqualTo(LEASE.doubtAfter().plus(step)));
        assertThat(fencedAfter).isGreaterThanOrEqualTo(LEASE.length());
    }
}
