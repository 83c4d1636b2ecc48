package org.treerename.producer;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.request.DecisionTime;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.RenameProgress;

/** Tests {@link RenameProducer#follow}: a program waits until its rename is decided. */
class FollowTest {

    private static final Outcome COMPLETED = OutcomeTexts.completed("r-1", 3);
    private static final DecisionTime DECIDED_BY_OUTCOME =
            DecisionTime.of(COMPLETED).orElseThrow();
    private static final Instant REQUESTED = Instant.parse("2026-08-01T10:00:00Z");
    private static final DecisionTime REPORTED = new DecisionTime(REQUESTED, REQUESTED.plusMillis(20));

    private final InMemoryKafka kafka = new InMemoryKafka(0);
    private final RenameProducer producer = kafka.producer();

    @AfterEach
    void close() {
        producer.close(Duration.ofSeconds(1));
    }

    private static RenameRequest request() {
        return new RenameRequest("r-1", "files", "/a", "/b", OnExisting.FAIL, "me");
    }

    private static RenameProgress report(String requestId, @Nullable DecisionTime decided) {
        return new RenameProgress(requestId, 0, 5_000, 0, "worker-1", false, decided, null);
    }

    private void publish(Outcome outcome) {
        kafka.publish(outcome.requestId(), OutcomeTexts.json(outcome));
    }

    @Test
    void a_rename_is_decided_at_the_first_report_of_its_progress() throws Exception {
        kafka.addProgressTopic();
        Followed followed = producer.follow(request());
        assertThat(followed.decided()).isNotDone();

        kafka.report(report("r-1", REPORTED));

        assertThat(followed.decided().get(120, SECONDS)).isEqualTo(REPORTED);
        assertThat(followed.sent().outcome()).isNotDone();
        publish(COMPLETED);
        assertThat(followed.sent().outcome().get(120, SECONDS).outcome()).isEqualTo(COMPLETED);
    }

    @Test
    void sends_the_first_request_after_the_reader_of_reports_is_ready() throws Exception {
        kafka.addProgressTopic();
        kafka.attach(id -> {
            kafka.report(report(id, REPORTED));
            return null;
        });
        CountDownLatch open = new CountDownLatch(1);
        kafka.holdBackProgress(open);
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Followed> following = thread.submit(() -> producer.follow(request()));
            assertThatThrownBy(() -> following.get(200, MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(kafka.sent()).isEmpty();

            open.countDown();

            assertThat(following.get(120, SECONDS).decided().get(120, SECONDS)).isEqualTo(REPORTED);
        }
    }

    @Test
    void a_report_from_before_the_request_decides_nothing() throws Exception {
        kafka.addProgressTopic(report("r-1", REPORTED));
        Followed followed = producer.follow(request());

        publish(COMPLETED);

        assertThat(followed.decided().get(120, SECONDS)).isEqualTo(DECIDED_BY_OUTCOME);
    }

    @Test
    void the_outcome_decides_if_no_report_is_read() throws Exception {
        Followed followed = producer.follow(request());
        assertThat(followed.sent().acknowledged().get(120, SECONDS)).isNull();

        publish(COMPLETED);

        assertThat(followed.decided().get(120, SECONDS)).isEqualTo(DECIDED_BY_OUTCOME);
    }

    @Test
    void a_report_of_another_rename_or_without_a_time_decides_nothing() throws Exception {
        kafka.addProgressTopic();
        Followed followed = producer.follow(request());
        CountDownLatch read = new CountDownLatch(1);
        producer.submit(request(), List.of(), new ProgressListener() {
            @Override
            public void progressed(RenameProgress progress) {
                read.countDown();
            }
        });

        kafka.report(report("r-2", REPORTED));
        kafka.report(report("r-1", null));

        assertThat(read.await(120, SECONDS)).isTrue();
        publish(COMPLETED);
        assertThat(followed.decided().get(120, SECONDS)).isEqualTo(DECIDED_BY_OUTCOME);
    }

    @Test
    void a_listener_that_blocks_does_not_delay_the_decision() throws Exception {
        kafka.addProgressTopic();
        CountDownLatch end = new CountDownLatch(1);
        Followed followed = producer.follow(request(), List.of(), new ProgressListener() {
            @Override
            public void acknowledged() {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });

        kafka.report(report("r-1", REPORTED));

        assertThat(followed.decided().get(120, SECONDS)).isEqualTo(REPORTED);
        end.countDown();
    }

    @Test
    void a_rejection_ends_the_wait_with_the_outcome() {
        Outcome rejected = OutcomeTexts.rejected("r-1", Reason.DESTINATION_EXISTS, "/b exists");
        Followed followed = producer.follow(request());

        publish(rejected);

        assertThat(failure(followed.decided()))
                .isInstanceOfSatisfying(
                        NotCommittedException.class,
                        ended -> assertThat(ended.published().outcome()).isEqualTo(rejected))
                .hasMessage("request r-1 ended as rejected without a commit: /b exists");
    }

    @Test
    void the_wait_fails_if_no_outcome_can_arrive() {
        Followed followed = producer.follow(request());

        producer.close(Duration.ofSeconds(1));

        assertThat(failure(followed.decided())).isInstanceOf(NoOutcomeException.class);
    }

    @Test
    void a_request_that_cannot_be_sent_fails_the_wait() {
        RenameRequest nameless = new RenameRequest("", "files", "/a", "/b", OnExisting.FAIL, "me");

        assertThat(failure(producer.follow(nameless).decided())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void cancelling_the_wait_for_the_decision_keeps_the_wait_for_the_outcome() throws Exception {
        Followed followed = producer.follow(request());

        followed.decided().cancel(false);
        publish(COMPLETED);

        assertThat(followed.sent().outcome().get(120, SECONDS).outcome()).isEqualTo(COMPLETED);
    }

    private static Throwable failure(CompletableFuture<?> future) {
        Throwable[] cause = new Throwable[1];
        assertThatThrownBy(() -> future.get(120, SECONDS))
                .isInstanceOfSatisfying(ExecutionException.class, e -> cause[0] = e.getCause());
        return cause[0];
    }
}
