package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.treerename.crash.CrashPoint;
import org.treerename.installation.Installation;
import org.treerename.producer.Followed;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.RenameProducer;
import org.treerename.request.DecisionTime;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RenameProgress;
import org.treerename.request.Status;
import org.treerename.testservers.TestServers;

/** Tests the progress that the library reports for a rename while workers and janitors move documents. */
final class ProgressIT {

    private static final String SLOWLY = "--documents-per-second=400";

    /**
     * Enough documents for two progress records of the worker and one of the janitor. A process publishes one record a
     * second.
     */
    private static final int MANY = 3_000;

    /** Enough documents for two progress records. */
    private static final int SOME = 1_000;

    /** A listener that keeps the reports, in their order. */
    private static final class RecordingListener implements ProgressListener {
        private final List<RenameProgress> progress = Collections.synchronizedList(new ArrayList<>());
        private final CompletableFuture<Void> acknowledged = new CompletableFuture<>();

        @Override
        public void acknowledged() {
            assertThat(progress).isEmpty();
            acknowledged.complete(null);
        }

        @Override
        public void progressed(RenameProgress reported) {
            progress.add(reported);
        }

        List<RenameProgress> progress() {
            return List.copyOf(progress);
        }
    }

    private static Tree tree(int documents) {
        Tree tree = Tree.create().directories("/a");
        for (int i = 1; i < documents; i++) {
            tree.files("/a/" + i);
        }
        return tree.index();
    }

    @Test
    void progress_is_reported_while_a_worker_moves_and_while_a_janitor_rolls_forward() throws Exception {
        Log.open().close();
        Tree tree = tree(MANY);
        Group group = Group.atTheEndOfTheLog();
        RecordingListener listener = new RecordingListener();
        try (Janitors janitors = Janitors.start(1, "--lease=3s", SLOWLY);
                Workers workers = Workers.start(1, group.option(), "--lease=3s", SLOWLY);
                RenameProducer producer = producer()) {
            CompletableFuture<Outcome> outcome = producer.send(request(producer, tree), listener);
            listener.acknowledged.get(120, TimeUnit.SECONDS);
            Awaitility.await("progress of the worker")
                    .atMost(Log.PATIENCE)
                    .until(() -> listener.progress().size() >= 2);
            String worker = listener.progress().getFirst().processId();
            assertThat(workers.ids()).contains(worker);

            workers.processes().getFirst().kill();

            Outcome ended = outcome.get(2, TimeUnit.MINUTES);
            assertThat(ended.status()).isEqualTo(Status.COMPLETED);
            assertThat(ended.rolledForward()).isTrue();
            List<RenameProgress> reported = listener.progress();
            assertThat(reported).allSatisfy(one -> {
                assertThat(one.expected()).isEqualTo(MANY);
                assertThat(one.moved()).isBetween(0L, (long) MANY);
                assertThat(one.rolledForward()).isEqualTo(!one.processId().equals(worker));
                assertThat(one.decided()).isEqualTo(DecisionTime.of(ended).orElseThrow());
            });
            assertThat(reported).extracting(RenameProgress::moved).isSorted();
            assertThat(reported).extracting(RenameProgress::processId).contains(ended.processId());
            assertThat(janitors.processes().getFirst().isAlive()).isTrue();
        }
        tree.assertNothingLeft();
    }

    /**
     * The worker may die before or after it has reported the decision. The janitor reports the same decision time as
     * the worker.
     */
    @Test
    void the_decision_of_a_rename_whose_worker_dies_right_after_the_commit_is_reported() throws Exception {
        Log.open().close();
        Tree tree = tree(SOME);
        RecordingListener listener = new RecordingListener();
        try (Janitors janitors = Janitors.start(1, "--lease=2s", SLOWLY);
                Workers workers = Workers.instrumented(1, "--lease=2s", "--crash-at=" + CrashPoint.AFTER_COMMIT);
                RenameProducer producer = producer()) {
            Followed followed = producer.follow(request(producer, tree), List.of(), listener);
            CompletableFuture<Boolean> isBefore = followed.decided()
                    .thenApply(time -> !followed.sent().outcome().isDone());
            assertThat(workers.processes().getFirst().waitFor(Log.PATIENCE)).isNotZero();

            DecisionTime decided = followed.decided().get(2, TimeUnit.MINUTES);

            assertThat(isBefore.get(2, TimeUnit.MINUTES)).isTrue();
            Outcome ended = followed.sent().outcome().get(2, TimeUnit.MINUTES).outcome();
            assertThat(ended.rolledForward()).isTrue();
            assertThat(DecisionTime.of(ended)).contains(decided);
            assertThat(listener.progress())
                    .allSatisfy(reported -> assertThat(reported.decided()).isEqualTo(decided))
                    .contains(
                            new RenameProgress(ended.requestId(), 0, SOME, 0, ended.processId(), true, decided, null));
            assertThat(janitors.processes().getFirst().isAlive()).isTrue();
        }
        tree.assertNothingLeft();
    }

    @Test
    void a_rename_completes_without_progress_if_the_progress_topic_is_missing() throws Exception {
        Log.open().close();
        Tree tree = tree(SOME);
        Group group = Group.atTheEndOfTheLog();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestServers.kafkaBootstrapServers()))) {
            admin.deleteTopics(List.of(Installation.DEFAULT.progress())).all().get();
        }
        RecordingListener listener = new RecordingListener();
        try (Workers workers = Workers.start(1, group.option(), SLOWLY);
                RenameProducer producer = producer()) {
            Outcome ended = producer.send(request(producer, tree), listener).get(2, TimeUnit.MINUTES);

            assertThat(ended.status()).isEqualTo(Status.COMPLETED);
            assertThat(ended.moved()).isEqualTo(SOME);
            assertThat(listener.progress()).isEmpty();
            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        } finally {
            Log.open().close();
        }
        tree.assertNothingLeft();
    }

    private static RenameProducer producer() {
        return RenameProducer.connect(ProducerSettings.of(TestServers.kafkaBootstrapServers()));
    }

    private static RenameRequest request(RenameProducer producer, Tree tree) {
        return producer.rename(tree.name(), "/a", "/b").build();
    }
}
