package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.checker.Comparison;
import org.treerename.checker.CompletedRename;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.JournalDump;
import org.treerename.checker.Leftovers;
import org.treerename.checker.SerialOrder;
import org.treerename.checker.TreeDump;
import org.treerename.checker.TreeModel;
import org.treerename.testservers.TestServers;

/** Renames that run at the same time, on two real workers, end in a tree that some serial order of them gives. */
final class ConcurrentRenamesIT {

    private static Log log;
    private static Workers workers;
    private static ElasticsearchHttp http;

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
        workers = Workers.start(2);
        http = new ElasticsearchHttp(TestServers.elasticsearchUrl());
    }

    @AfterAll
    static void stop() {
        http.close();
        workers.close();
        log.close();
    }

    @Test
    @DisplayName("the guide's scene: a directory of 10,000 documents is renamed, and meanwhile a file inside it")
    void theGuidesScene() {
        Tree tree = Tree.create().directories("/clinton", "/clinton/projects", "/clinton/other");
        for (int i = 0; i < 10_000; i++) {
            tree.files("/clinton/projects/file-" + i);
        }
        tree.index();
        Judge judge = Judge.of(tree);
        ObjectNode directory = Requests.rename(tree.name(), "/clinton/projects", "/clinton/archive");
        ObjectNode file = Requests.rename(tree.name(), "/clinton/projects/file-77", "/clinton/other/file-77");

        log.send(0, directory.toString());
        Awaitility.await("the directory's rename moves")
                .pollInterval(Duration.ofMillis(5))
                .atMost(Log.PATIENCE)
                .until(() -> Es.entry(Requests.id(directory))
                        .filter(entry -> !entry.path("state").asText().equals("prepared"))
                        .isPresent());
        for (int partition = 1; partition < 8; partition++) {
            // one of them comes to the worker that is free; the same request twice is done once
            log.send(partition, file.toString());
        }
        JsonNode directoryEnded = log.outcome(Requests.id(directory));
        JsonNode fileEnded = log.outcome(Requests.id(file));

        assertThat(directoryEnded.path("status").asText()).isEqualTo("completed");
        assertThat(fileEnded.path("status").asText()).isIn("completed", "rejected");
        assertThat(Es.entry(Requests.id(file))
                        .orElseThrow()
                        .path("waiting")
                        .path("refusals")
                        .asInt())
                .as("the file's rename was refused a lock")
                .isPositive();
        assertSerial(tree, judge, 2);
    }

    @ParameterizedTest(name = "fifty renames at once on 5,000 documents, seed {0}")
    @ValueSource(longs = {1, 2})
    void fiftyConcurrentRandomRenames(long seed) {
        Random random = new Random(seed);
        Tree tree = Tree.create();
        List<String> directories = randomTree(tree, random);
        Judge judge = Judge.of(tree);

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
        assertThat(statuses).isSubsetOf("completed", "rejected");
        assertThat(completed).as("renames that completed").isGreaterThan(5);
        assertSerial(tree, judge, completed);
    }

    /** Some 5,000 documents in directories up to four deep; the paths of the directories. */
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
        for (int i = 0; i < 4_960; i++) {
            tree.files(directories.get(random.nextInt(directories.size())) + "/f" + i);
        }
        tree.index();
        return directories;
    }

    /** By the checker, which trusts the journal's order, and by a search that does not. */
    private static void assertSerial(Tree tree, Judge judge, long completed) {
        judge.assertGood(0);
        TreeModel before = TreeModel.of(judge.before());
        List<CompletedRename> renames = JournalDump.read(http).completed(tree.name());
        TreeDump after = dump(tree);

        SerialOrder.Answer answer = SerialOrder.find(before, renames, TreeModel.of(after));

        assertThat(answer).isInstanceOf(SerialOrder.Answer.Found.class);
        List<CompletedRename> order = ((SerialOrder.Answer.Found) answer).order();
        assertThat(order).hasSizeLessThanOrEqualTo((int) completed);
        order.forEach(r -> before.apply(r.source(), r.destination(), r.replace()));
        Comparison comparison = Comparison.of(before, after);
        assertThat(comparison.isEqual()).as(comparison.toString()).isTrue();
        assertThat(Leftovers.read(http).found()).isEmpty();
    }

    private static TreeDump dump(Tree tree) {
        return TreeDump.read(http, tree.namespace());
    }
}
