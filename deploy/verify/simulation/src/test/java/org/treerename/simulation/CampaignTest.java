package org.treerename.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CampaignTest {

    @Test
    void an_interrupted_campaign_begins_no_more_seeds() throws InterruptedException {
        Thread caller = Thread.currentThread();
        AtomicLong runs = new AtomicLong();
        int processors = Runtime.getRuntime().availableProcessors();

        assertThatIllegalStateException()
                .isThrownBy(() -> Campaign.run(1, 1_000_000, Wiring.PLAIN, figures -> {
                    if (runs.incrementAndGet() == 1) {
                        caller.interrupt();
                    }
                }));
        assertThat(Thread.interrupted()).isTrue();
        long begun = runs.get() + processors;
        Thread.sleep(500);

        assertThat(runs.get()).isLessThanOrEqualTo(begun);
    }
}
