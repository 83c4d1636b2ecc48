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
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.RenameProducer;
import org.treerename.rename.Asked.RenameRequest;
import org.treerename.rename.Outcome;
import org.treerename.rename.RenameProgress;
import org.treerename.rename.Status;
import org.treerename.testservers.TestServers;
import org.treerename.wire.Topics;

/** How far a rename has come, as the library tells it while workers and janitors move. */
final class ProgressIT {

    private static final String SLOWLY = "--documents-per-second=400";

    /** Long enough for two records of the worker, and for one of the janitor: a process publishes one in a second. */
    private static final int MANY = 3_000;

    /** Long enough for two records of progress. */
    private static final int SOME = 1_000;

    /** What a listener was told, in its order. */
    private static final class Heard implements ProgressListener {
        private final List<RenameProgress> progress = Collections.synchronizedList(new ArrayList<>());
        private final CompletableFuture<Void> acknowledged = new CompletableFuture<>();

        @Override
        public void acknowledged() {
            assertThat(progress).isEmpty();
            acknowledged.complete(null);
        }

        @Override
        public void progressed(RenameProgress told) {
            progress.add(told);
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
    void itIsToldWhileAWorkerMovesAndWhileAJanitorRollsForward() throws Exception {
        Log.open().close();
        Tree tree = tree(MANY);
        Group group = Group.atTheEndOfTheLog();
        Heard heard = new Heard();
        try (Janitors janitors = Janitors.start(1, "--lease=3s", SLOWLY);
                Workers workers = Workers.start(1, group.option(), "--lease=3s", SLOWLY);
                RenameProducer producer = producer()) {
            CompletableFuture<Outcome> outcome = producer.send(request(producer, tree), heard);
            heard.acknowledged.get(120, TimeUnit.SECONDS);
            Awaitility.await("progress of the worker")
                    .atMost(Log.PATIENCE)
                    .until(() -> heard.progress().size() >= 2);
            String worker = heard.progress().getFirst().processId();
            assertThat(workers.ids()).contains(worker);

            workers.processes().getFirst().kill();

            Outcome ended = outcome.get(2, TimeUnit.MINUTES);
            assertThat(ended.status()).isEqualTo(Status.COMPLETED);
            assertThat(ended.rolledForward()).isTrue();
            List<RenameProgress> told = heard.progress();
            assertThat(told).allSatisfy(one -> {
                assertThat(one.expected()).isEqualTo(MANY);
                assertThat(one.moved()).isBetween(0L, (long) MANY);
                assertThat(one.rolledForward()).isEqualTo(!one.processId().equals(worker));
            });
            assertThat(told).extracting(RenameProgress::moved).isSorted();
            assertThat(told).extracting(RenameProgress::processId).contains(ended.processId());
            assertThat(janitors.processes().getFirst().isAlive()).isTrue();
        }
        tree.assertNothingLeft();
    }

    @Test
    void withoutTheTopicThereIsNoneAndTheRenameEndsAllTheSame() throws Exception {
        Log.open().close();
        Tree tree = tree(SOME);
        Group group = Group.atTheEndOfTheLog();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestServers.kafkaBootstrapServers()))) {
            admin.deleteTopics(List.of(Topics.PROGRESS)).all().get();
        }
        Heard heard = new Heard();
        try (Workers workers = Workers.start(1, group.option(), SLOWLY);
                RenameProducer producer = producer()) {
            Outcome ended = producer.send(request(producer, tree), heard).get(2, TimeUnit.MINUTES);

            assertThat(ended.status()).isEqualTo(Status.COMPLETED);
            assertThat(ended.moved()).isEqualTo(SOME);
            assertThat(heard.progress()).isEmpty();
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
        return producer.rename("/a", "/b").namespace(tree.name()).build();
    }
}
