package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.treerename.producer.SteppedTime;

class RateLimitsTest {

    private final SteppedTime time = new SteppedTime();
    private final RateLimits rates = new RateLimits(10, time);

    private void assertRefused(String caller, String retryAfter) {
        assertThatThrownBy(() -> rates.count(caller)).isInstanceOfSatisfying(ProblemException.class, refused -> {
            assertThat(refused.answer().status()).isEqualTo(429);
            assertThat(refused.answer().headers()).containsEntry("Retry-After", retryAfter);
        });
    }

    @Test
    void each_caller_may_use_its_rate_at_once_and_then_steadily() {
        for (int i = 0; i < 10; i++) {
            rates.count("me");
        }
        assertRefused("me", "1");
        rates.count("you");

        time.advance(Duration.ofMillis(100));
        rates.count("me");
        assertRefused("me", "1");
    }

    @Test
    void forgets_the_callers_that_have_used_no_time_in_advance() {
        rates.count("me");
        rates.countMore("busy", 50);
        time.advance(Duration.ofSeconds(1));

        rates.count("you");

        assertThat(rates.size()).isEqualTo(2);
    }

    @Test
    void counts_each_request_of_a_batch() {
        rates.count("me");
        rates.countMore("me", 99);

        assertRefused("me", "10");
        time.advance(Duration.ofSeconds(9));
        assertRefused("me", "1");
        time.advance(Duration.ofMillis(100));
        rates.count("me");
        assertRefused("me", "1");
    }
}
