package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class CallerSharesTest {

    private final CallerShares shares = new CallerShares(2);

    /** Runs this number of searches of a caller inside of each other. Returns the number of searches that ran. */
    private int nested(String caller, int searches) {
        return searches == 0 ? 0 : 1 + shares.run(caller, () -> nested(caller, searches - 1));
    }

    @Test
    void refuses_a_further_search_of_the_same_caller() {
        assertThatThrownBy(() -> nested("me", 3)).isInstanceOfSatisfying(ProblemException.class, refused -> {
            assertThat(refused.answer().status()).isEqualTo(429);
            assertThat(refused.answer().headers()).containsEntry("Retry-After", "1");
        });
        assertThat(nested("me", 2)).isEqualTo(2);
    }

    @Test
    void another_caller_may_search_meanwhile() {
        assertThat(shares.<Integer>run("me", () -> shares.run("me", () -> nested("you", 2))))
                .isEqualTo(2);
    }
}
