package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.namespace.Namespace;
import org.treerename.producer.OutcomeStart;
import org.treerename.producer.OutcomeSubscription;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameClient;
import org.treerename.producer.RenameProducer;
import org.treerename.producer.RequestBuilder;
import org.treerename.producer.fake.InMemoryRenameClient;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.testservers.TestServers;

/**
 * Tests that the client in memory and a worker produce equal outcomes. The client and the worker receive the same
 * random requests, and their trees are equal at the end.
 */
final class InMemoryClientIT {

    private static final int REQUESTS = 80;
    private static final List<String> NAMES = List.of("a", "b", "c");

    /** The part of an outcome that depends only on the request and on the tree. */
    private record Decided(
            Status status,
            @Nullable Reason reason,
            String message,
            long moved,
            boolean committed,
            Outcome.@Nullable Paths paths) {

        static Decided of(Outcome outcome) {
            return new Decided(
                    outcome.status(),
                    outcome.reason(),
                    outcome.message(),
                    outcome.moved(),
                    outcome.committedAt() != null,
                    outcome.paths());
        }
    }

    private static Log log;
    private static Workers workers;
    private static RenameClient real;

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
        workers = Workers.start(1);
        real = RenameProducer.connect(ProducerSettings.of(TestServers.kafkaBootstrapServers()));
    }

    @AfterAll
    static void stop() {
        real.close();
        workers.close();
        log.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void decides_as_a_worker_where_directories_are_documents(long seed) throws Exception {
        Tree tree = Tree.create();
        InMemoryRenameClient fake = InMemoryRenameClient.of(Namespace.ofFiles(tree.name(), tree.name()));
        for (String path : List.of("/a", "/a/a", "/a/b", "/b", "/c")) {
            tree.directories(path);
            fake.tree(tree.name()).addDirectory(path);
        }
        for (String path : List.of("/a/a/a", "/a/a/b", "/a/c", "/b/a", "/d")) {
            tree.files(path);
            fake.tree(tree.name()).addFile(path);
        }

        compare(tree.index(), fake, new Random(seed));
    }

    @Test
    void decides_as_a_worker_where_directories_are_not_documents() throws Exception {
        Tree tree = Tree.createWithoutDirectories();
        InMemoryRenameClient fake =
                InMemoryRenameClient.of(new Namespace(tree.name(), tree.name(), "path", null, null, null));
        for (String path : List.of("/a/a/a", "/a/a/b", "/a/c", "/b/a", "/c/a/b", "/d")) {
            tree.files(path);
            fake.tree(tree.name()).addFile(path);
        }

        compare(tree.index(), fake, new Random(3));
    }

    private static void compare(Tree tree, InMemoryRenameClient fake, Random random) throws Exception {
        Set<@Nullable Reason> reasons = new HashSet<>();
        for (int i = 0; i < REQUESTS; i++) {
            RequestBuilder builder = real.rename(tree.name(), path(random), path(random));
            RenameRequest request = (random.nextBoolean() ? builder.replace() : builder).build();

            Outcome expected = real.send(request).get(2, TimeUnit.MINUTES);
            Outcome found = fake.send(request).get(0, TimeUnit.SECONDS);

            assertThat(Decided.of(found)).as(request.toString()).isEqualTo(Decided.of(expected));
            reasons.add(expected.reason());
        }
        assertThat(fake.tree(tree.name()).paths())
                .isEqualTo(tree.paths().values().stream().sorted().toList());
        assertThat(reasons).contains(null, Reason.SOURCE_NOT_FOUND, Reason.INTO_ITSELF, Reason.DESTINATION_EXISTS);
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(3);
        for (int i = 0; i < depth; i++) {
            path.append('/').append(NAMES.get(random.nextInt(NAMES.size())));
        }
        return path.toString();
    }

    @Test
    void a_listener_receives_the_outcome_of_a_rename_with_its_paths() throws Exception {
        Tree tree = Tree.create().directories("/a").files("/a/1").index();
        List<Outcome> received = new CopyOnWriteArrayList<>();
        RenameRequest request = real.rename(tree.name(), "/a", "/b").build();

        try (OutcomeSubscription subscription =
                real.subscribe(OutcomeStart.end(), (published, position) -> received.add(published.outcome()))) {
            Outcome outcome = real.send(request).get(2, TimeUnit.MINUTES);
            Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> received.contains(outcome));

            assertThat(outcome.paths()).isEqualTo(new Outcome.Paths(tree.name(), "/a", "/b"));
            assertThat(subscription.isRunning()).isTrue();
        }
    }
}
