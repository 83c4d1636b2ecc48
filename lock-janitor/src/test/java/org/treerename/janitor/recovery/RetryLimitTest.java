package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.State;
import org.treerename.journal.UnmetDependency;
import org.treerename.process.FencedException;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.RetryLimit;
import org.treerename.request.Outcome;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.runtime.Backoff;
import org.treerename.store.DamagedException;
import org.treerename.store.Interference;
import org.treerename.store.LaterFormatException;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

class RetryLimitTest {

    private final World world = new World().withTree();
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    /** Throws an exception before the first {@code times} calls that have one of these names. */
    private static final class Failing implements Interference {
        private final Set<String> names;
        private final RuntimeException failure;
        private int left;

        Failing(int times, RuntimeException failure, String... names) {
            this.left = times;
            this.failure = failure;
            this.names = Set.of(names);
        }

        @Override
        public void before(Call call) {
            if (names.contains(call.name()) && left > 0) {
                left--;
                throw failure;
            }
        }
    }

    private final IllegalStateException broken = new IllegalStateException("broken");

    private Answer run(int most) {
        return run(most, "worker-1");
    }

    private Answer run(int most, String processId) {
        return run(most, processId, aToB);
    }

    private Answer run(int most, String processId, Delivery delivery) {
        return limit(most).run(world.renamer(processId), delivery);
    }

    private RetryLimit limit(int most) {
        return new RetryLimit(most, new Backoff.Factory(world.time, IntervalFunction.of(Duration.ofSeconds(1))));
    }

    private void fails(int times, RuntimeException failure, String... names) {
        world.calls.interfere(new Failing(times, failure, names));
    }

    @Test
    void a_request_that_keeps_failing_before_its_commit_fails_without_an_effect() {
        fails(3, broken, "tree.examine");

        Answer answer = run(3);

        assertThat(world.outcome("r1"))
                .returns(Status.FAILED, Outcome::status)
                .returns(Reason.KEPT_FAILING, Outcome::reason)
                .returns("tried 3 times, last failure: java.lang.IllegalStateException: broken", Outcome::message);
        assertThat(answer)
                .isEqualTo(new Answer.Published(world.outcomes.of("r1").getFirst()));
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        world.assertQuiet();
    }

    @Test
    void a_request_that_fails_less_often_completes() {
        fails(2, broken, "tree.examine");

        assertThat(run(3)).isInstanceOf(Answer.Published.class);

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void an_attempt_with_repeatedly_refused_locks_fails_without_locks() {
        fails(2, new RefusedException("400"), "journal.prepare");

        assertThat(run(2)).isInstanceOf(Answer.Published.class);

        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.KEPT_FAILING);
        world.assertQuiet();
    }

    @Test
    void a_request_with_a_document_of_a_later_format_is_not_ended() {
        LaterFormatException later = new LaterFormatException("format 2");
        fails(1, later, "journal.prepare");

        assertThatThrownBy(() -> run(1)).isSameAs(later);

        assertThat(world.journal.entries()).isEmpty();
        assertThat(world.outcomes.of("r1")).isEmpty();
    }

    @Test
    void a_worker_waits_with_a_document_of_a_later_format_until_it_must_stop() {
        fails(1_000, new LaterFormatException("format 2"), "journal.prepare");
        RetryLimit limit = limit(1);
        List<String> whileItWaits = new ArrayList<>();
        world.time.plan(Duration.ofMinutes(1), () -> {
            limit.needsLaterVersion().ifPresent(whileItWaits::add);
            world.stop.request();
        });

        Answer answer = limit.runWhenKnown(world.renamer("worker-1"), aToB);

        assertThat(answer).isEqualTo(new Answer.Stopped());
        assertThat(whileItWaits).containsExactly("request r1 waits for a later version: format 2");
        assertThat(limit.needsLaterVersion()).isEmpty();
        assertThat(world.time.now()).isAfter(Deliveries.APPENDED.plusSeconds(60));
        assertThat(world.outcomes.of("r1")).isEmpty();
    }

    @Test
    void a_record_before_the_watermark_expires_although_its_attempts_fail() {
        world.watermark.raise(aToB.appendedAt().plusMillis(1));
        fails(2, broken, "journal.prepare");

        assertThat(run(2)).isInstanceOf(Answer.Published.class);

        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.EXPIRED);
        world.assertQuiet();
    }

    @Test
    void a_request_with_an_unknown_predecessor_is_rejected_although_a_try_has_failed() {
        Delivery missing = new Delivery(
                aToB.asked(), aToB.digest(), aToB.place(), aToB.appendedAt(), UnmetDependency.unknown("r0"));
        fails(1, broken, "journal.write REJECTED");

        assertThat(run(2, "worker-1", missing)).isInstanceOf(Answer.Published.class);

        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.UNKNOWN_PREDECESSOR);
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        world.assertQuiet();
    }

    @Test
    void a_request_that_keeps_failing_after_its_commit_is_parked_with_its_locks() {
        fails(3, broken, "tree.move");

        assertThat(run(3)).isEqualTo(new Answer.Parked());

        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
        assertThat(world.entry("r1").parking()).asString().startsWith("tried 3 times");
        assertThat(world.heldPaths()).containsExactly("/a", "/b");
        assertThat(world.outcomes.log()).isEmpty();
        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(RollForward.Result.CLOSED);
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
    }

    @Test
    void a_request_without_a_writable_end_is_not_answered_and_fails_its_worker() {
        RefusedException refusal = new RefusedException("400");
        fails(Integer.MAX_VALUE, refusal, "journal.prepare");

        assertThatThrownBy(() -> run(2)).isSameAs(refusal);

        assertThat(world.outcomes.log()).isEmpty();
    }

    @Test
    void a_request_with_a_damaged_entry_has_no_outcome() {
        DamagedException damage = new DamagedException("no entry", broken);
        fails(Integer.MAX_VALUE, damage, "journal.prepare");

        assertThat(run(2))
                .isInstanceOfSatisfying(
                        Answer.Unanswerable.class, no -> assertThat(no.why()).contains("tried 2 times", "no entry"));

        assertThat(world.outcomes.log()).isEmpty();
        assertThat(world.locks.tables()).isEmpty();
    }

    @Test
    void a_wait_for_an_answer_does_not_count_as_a_failed_try() {
        fails(50, new NoAnswerException("gone", null), "tree.examine", "journal.prepare", "tree.scan", "tree.move");

        assertThat(run(1)).isInstanceOf(Answer.Published.class);

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void a_fenced_process_does_not_try_again() {
        fails(1, new FencedException("the locks"), "tree.examine");

        assertThatThrownBy(() -> run(3)).isInstanceOf(FencedException.class);

        assertThat(world.entry("r1").state()).isEqualTo(State.PREPARED);
        assertThat(world.time.now()).isEqualTo(new World().time.now());
    }

    @Test
    void an_error_does_not_count_as_a_failure_of_the_request() {
        world.calls.interfere(Interference.before("tree.examine", 1, () -> {
            throw new AssertionError("wrong");
        }));

        assertThatThrownBy(() -> run(3)).isInstanceOf(AssertionError.class);
    }

    @Test
    void a_request_that_another_process_gave_back_ends_as_well() {
        world.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                if (call.name().equals("tree.examine")) {
                    throw broken;
                }
            }
        });
        run(1, "worker-2");
        String first = world.outcomes.of("r1").getFirst();

        assertThat(run(1)).isEqualTo(new Answer.Published(first));
        assertThat(world.outcomes.of("r1")).containsOnly(first);
    }

    @Test
    void a_janitor_parks_a_rename_that_fails_in_its_roll_forward() {
        fails(1, broken, "tree.move");
        run(1);
        fails(1, broken, "tree.move");

        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(RollForward.Result.PARKED);

        assertThat(world.entry("r1").parking()).asString().contains("broken");
    }
}
