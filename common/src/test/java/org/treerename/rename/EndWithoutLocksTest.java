package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.UnmetDependency;
import org.treerename.namespace.Namespace;
import org.treerename.rename.Completion.Without;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;

final class EndWithoutLocksTest {

    private static final Duration LOCK_WAIT = Duration.ofSeconds(120);
    private static final RenameRequest REQUEST = Deliveries.rename("r2", "files", "/a", "/b");

    private static Delivery delivery(@Nullable UnmetDependency unmet) {
        Delivery first = Deliveries.of(REQUEST);
        return new Delivery(first.asked(), first.digest(), first.place(), first.appendedAt(), unmet);
    }

    private static Validation valid() {
        return Validation.of(REQUEST, name -> Optional.of(Namespace.ofFiles("files", "files")));
    }

    @Test
    void a_valid_request_whose_predecessors_have_ended_needs_its_locks() {
        assertThat(EndWithoutLocks.of(delivery(null), valid(), LOCK_WAIT)).isEmpty();
    }

    @Test
    void an_invalid_request_is_rejected_even_if_a_predecessor_blocks_it() {
        assertThat(EndWithoutLocks.of(
                        delivery(UnmetDependency.parked("r1")),
                        new Validation.Invalid(Reason.INVALID_REQUEST, "no source"),
                        LOCK_WAIT))
                .contains(new Without(Status.REJECTED, Reason.INVALID_REQUEST, "no source"));
    }

    @Test
    void a_request_that_keeps_failing_fails() {
        assertThat(EndWithoutLocks.of(delivery(null), new Validation.Hopeless("failed 5 times"), LOCK_WAIT))
                .contains(new Without(Status.FAILED, Reason.KEPT_FAILING, "failed 5 times"));
    }

    @Test
    void a_request_without_its_predecessor_ends_by_the_state_of_the_predecessor() {
        assertThat(EndWithoutLocks.of(delivery(UnmetDependency.unknown("r1")), valid(), LOCK_WAIT))
                .contains(new Without(
                        Status.REJECTED,
                        Reason.UNKNOWN_PREDECESSOR,
                        "depends on request r1, which has no journal entry"));
        assertThat(EndWithoutLocks.of(delivery(UnmetDependency.parked("r1")), valid(), LOCK_WAIT))
                .contains(new Without(
                        Status.FAILED, Reason.LOCKED, "waited 120 s: depends on request r1, which is parked"));
        assertThat(EndWithoutLocks.of(delivery(UnmetDependency.released("r1")), valid(), LOCK_WAIT))
                .contains(new Without(
                        Status.FAILED,
                        Reason.LOCKED,
                        "depends on request r1, which was released for a retry and has not been processed since"));
    }
}
