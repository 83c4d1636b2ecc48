package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.checker.Comparison;
import org.treerename.checker.CompletedRename;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.JournalDump;
import org.treerename.checker.SerialOrder;
import org.treerename.checker.TreeDump;
import org.treerename.checker.TreeModel;
import org.treerename.crash.CrashPoint;
import org.treerename.testservers.TestServers;

/**
 * Tests renames that run at the same time on two real workers. The tree at the end is the result of some serial order
 * of these renames.
 */
final class ConcurrentRenamesIT {

    private static Log log;
    private static ElasticsearchHttp http;

    @BeforeAll
    static void start() {
        log = Log.open();
        http = new ElasticsearchHttp(TestServers.elasticsearchUrl());
    }

    @AfterAll
    static void stop() {
        http.close();
        log.close();
    }

    @Test
    @DisplayName("the guide's example: a directory is renamed, and a file inside it at the same time")
    void a_rename_of_a_file_waits_for_the_rename_of_its_directory_and_is_rejected() {
        Tree tree = Tree.create().directories("/clinton", "/clinton/projects", "/clinton/other");
        for (int i = 0; i < 300; i++) {
            tree.files("/clinton/projects/file-" + i);
        }
        tree.index();
        ChangeCheck changeCheck = ChangeCheck.of(tree);
        ObjectNode directory = Requests.rename(tree.name(), "/clinton/projects", "/clinton/archive");
        ObjectNode file = Requests.rename(tree.name(), "/clinton/projects/file-77", "/clinton/other/file-77");
        Group group = Group.atTheEndOfTheLog();
        Gate first = Gate.at(CrashPoint.WITHIN_MOVE, 3);
        Gate second = Gate.at(CrashPoint.WITHIN_MOVE, 3);

        try (Workers one = Workers.instrumented(1, group.option(), "--page-size=20", first.option());
                Workers other = Workers.instrumented(1, group.option(), "--page-size=20", second.option())) {
            group.awaitShared(2);
            log.send(0, directory.toString());
            Gate held = Gate.awaitAnyReached(first, second);
            for (int partition = 1; partition < Log.PARTITIONS; partition++) {
                // one of these records reaches the worker without a blocked rename; all records contain the same
                // request, so they have one outcome
                log.send(partition, file.toString());
            }
            Claims.awaitRefusal(tree.name(), Requests.id(file));
            assertThat(log.outcomes(Requests.id(file)))
                    .as("outcomes while the directory moves; workers %s and %s", one.ids(), other.ids())
                    .isEmpty();
            held.open();

            assertThat(log.outcome(Requests.id(directory)).path("status").asText())
                    .isEqualTo("completed");
            assertThat(log.outcome(Requests.id(file)).path("status").asText()).isEqualTo("rejected");
            assertSerial(tree, changeCheck, 1);
        }
    }

    /**
     * Returns a fixed seed. If {@code -Drepeat=1} is set, also returns a seed that changes every day. {@code -Pfull}
     * sets {@code -Drepeat=1}.
     */
    static LongStream seeds() {
        return Series.WHOLE ? LongStream.of(1, LocalDate.now(ZoneOffset.UTC).toEpochDay()) : LongStream.of(1);
    }

    @ParameterizedTest(name = "fifty renames at once, seed {0}")
    @MethodSource("seeds")
    void fifty_concurrent_random_renames(long seed) throws Exception {
        Random random = new Random(seed);
        Tree tree = Tree.create();
        List<String> directories = randomTree(tree, random);
        ChangeCheck changeCheck = ChangeCheck.of(tree);

        try (Workers workers = Workers.start(2);
                Viewers viewers = Viewers.start(changeCheck, Elasticsearch.SHARED, tree, List.of("/", "/a", "/b"))) {
            List<ObjectNode> requests = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String source = directories.get(random.nextInt(directories.size()));
                String parent = directories.get(random.nextInt(directories.size()));
                ObjectNode request = Requests.rename(tree.name(), source, parent + "/" + source.charAt(1) + i);
                requests.add(request);
                log.send(random.nextInt(8), request.toString());
            }
            List<JsonNode> outcomes =
                    requests.stream().map(r -> log.outcome(Requests.id(r))).toList();

            Set<String> statuses = new TreeSet<>();
            outcomes.forEach(o -> statuses.add(o.path("status").asText()));
            long completed = outcomes.stream()
                    .filter(o -> o.path("status").asText().equals("completed"))
                    .count();
            assertThat(statuses)
                    .as("statuses of the outcomes; workers %s", workers.ids())
                    .isSubsetOf("completed", "rejected");
            assertThat(completed).as("number of completed renames").isGreaterThan(5);
            viewers.end();
            assertThat(viewers.answered())
                    .as("number of complete views; %s views were given up", viewers.givenUp())
                    .isGreaterThan(5);
            assertSerial(tree, changeCheck, completed);
        }
    }

    /** Creates a thousand documents in random nested directories, and returns the paths of the directories. */
    private static List<String> randomTree(Tree tree, Random random) {
        List<String> directories = new ArrayList<>();
        for (String top : new String[] {"/a", "/b", "/c", "/d"}) {
            directories.add(top);
        }
        while (directories.size() < 40) {
            String parent = directories.get(random.nextInt(directories.size()));
            if (parent.length() < 12) {
                directories.add(parent + "/n" + directories.size());
            }
        }
        directories.forEach(tree::directories);
        for (int i = 0; i < 960; i++) {
            tree.files(directories.get(random.nextInt(directories.size())) + "/f" + i);
        }
        tree.index();
        return directories;
    }

    /**
     * Asserts in two ways that the renames have a serial order. {@link ChangeCheck} checks the order of the decisions
     * in the journal. {@link SerialOrder} searches for a serial order without this order.
     */
    private static void assertSerial(Tree tree, ChangeCheck changeCheck, long completed) {
        changeCheck.assertGood(0);
        TreeModel before = TreeModel.of(changeCheck.before());
        List<CompletedRename> renames = JournalDump.read(http).completed(tree.name());
        TreeDump after = dump(tree);

        SerialOrder.Answer answer = SerialOrder.find(before, renames, TreeModel.of(after));

        assertThat(answer).isInstanceOf(SerialOrder.Answer.Found.class);
        List<CompletedRename> order = ((SerialOrder.Answer.Found) answer).order();
        assertThat(order).hasSizeLessThanOrEqualTo((int) completed);
        order.forEach(r -> before.apply(r.source(), r.destination(), r.replace()));
        Comparison comparison = Comparison.of(before, after);
        assertThat(comparison.isEqual()).as(comparison.toString()).isTrue();
        tree.assertNothingLeft();
    }

    private static TreeDump dump(Tree tree) {
        return TreeDump.read(http, tree.namespace());
    }
}
