package org.treerename.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CampaignTest {

    private static final long SEEDS = 3_000;

    @Test
    void an_interrupted_campaign_begins_no_more_seeds() {
        Thread caller = Thread.currentThread();
        AtomicLong runs = new AtomicLong();

        assertThatIllegalStateException()
                .isThrownBy(() -> Campaign.run(1, SEEDS, Wiring.PLAIN, figures -> {
                    if (runs.incrementAndGet() == 1) {
                        caller.interrupt();
                    }
                }));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(runs.get()).isLessThan(SEEDS);
    }
}
