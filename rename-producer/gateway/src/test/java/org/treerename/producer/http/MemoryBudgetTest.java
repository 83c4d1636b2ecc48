package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {

    private final MemoryBudget budget = new MemoryBudget(100);

    @Test
    void refuses_what_exceeds_the_budget_until_another_request_ends() {
        try (MemoryBudget.Share one = budget.begin()) {
            one.reserve(40);
            one.reserve(40);
            try (MemoryBudget.Share other = budget.begin()) {
                assertRefused(other, 21);
                other.reserve(20);
            }
            assertThat(budget.used()).isEqualTo(80);
        }
        assertThat(budget.used()).isZero();
    }

    @Test
    void refuses_a_part_of_an_answer_that_arrives_after_the_end_of_its_request() {
        MemoryBudget.Share ended = budget.begin();
        ended.close();

        assertRefused(ended, 1);
        assertThat(budget.used()).isZero();
    }

    @Test
    void a_part_that_is_not_kept_can_be_given_back() {
        try (MemoryBudget.Share one = budget.begin()) {
            one.reserve(90);
            one.reserve(-90);
            one.reserve(100);
        }
        assertThat(budget.used()).isZero();
    }

    private static void assertRefused(MemoryBudget.Share share, long bytes) {
        assertThatThrownBy(() -> share.reserve(bytes)).isInstanceOfSatisfying(ProblemException.class, refused -> {
            assertThat(refused.answer().status()).isEqualTo(503);
            assertThat(refused.answer().headers()).containsEntry("Retry-After", "1");
        });
    }
}
