package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.treerename.testservers.TestServers;

/** Tests renames in namespaces whose aliases are switched to other indices during the renames. */
final class AliasesIT {

    private static final int FILES = 10;

    private static Log log;

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
    }

    @AfterAll
    static void stop() {
        log.close();
    }

    private static Tree filledTree() {
        Tree tree = Tree.createBehindAlias().directories("/a");
        IntStream.range(0, FILES).forEach(i -> tree.files("/a/" + i));
        return tree.index();
    }

    private static void aliases(String... actions) {
        assertThat(Es.post("/_aliases", "{\"actions\":[" + String.join(",", actions) + "]}")
                        .path("acknowledged")
                        .asBoolean())
                .isTrue();
    }

    private static String add(String index, String alias) {
        return "{\"add\":{\"index\":\"%s\",\"alias\":\"%s\"}}".formatted(index, alias);
    }

    private static String remove(String index, String alias) {
        return "{\"remove\":{\"index\":\"%s\",\"alias\":\"%s\"}}".formatted(index, alias);
    }

    private static boolean isFrozen(Workers workers) {
        try {
            String stat = Files.readString(Path.of(
                    "/proc", String.valueOf(workers.processes().getFirst().pid()), "stat"));
            return stat.contains(") T ");
        } catch (IOException e) {
            return false;
        }
    }

    private static JsonNode parked(String requestId) {
        return Awaitility.await("the rename is parked")
                .atMost(Log.PATIENCE)
                .until(
                        () -> Es.entry(requestId).orElseThrow(),
                        entry -> entry.path("state").asText().equals("parked"));
    }

    @Test
    void an_index_that_loses_its_alias_after_the_move_parks_the_rename_until_it_is_back()
            throws IOException, InterruptedException {
        Tree tree = filledTree();
        String other = tree.name() + "-2";
        String requestId = parkedByAnotherAlias(tree, other);
        aliases(remove(other, tree.name()), add(tree.concrete(), tree.name()));
        Console.Ended retried = Console.run(
                Console.RENAME_ADMIN,
                List.of(
                        "retry-parked",
                        "--elasticsearch-url=" + TestServers.elasticsearchUrl(),
                        "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers(),
                        requestId));

        assertThat(retried.code()).as(retried.out()).isZero();
        assertThat(log.outcome(requestId).path("status").asText()).isEqualTo("completed");
        assertThat(log.outcome(requestId).path("moved").asInt()).isEqualTo(FILES + 1);
        tree.assertNothingLeft();
    }

    @Test
    void an_operator_abandons_a_rename_whose_index_does_not_exist_any_more() throws IOException, InterruptedException {
        Tree tree = filledTree();
        String other = tree.name() + "-2";
        String requestId = parkedByAnotherAlias(tree, other);
        Es.send("DELETE", "/" + tree.concrete(), "");
        Es.send("DELETE", "/" + other, "");

        Console.Ended examined = abandon(requestId, "--dry-run");
        assertThat(examined.code()).as(examined.out()).isZero();
        assertThat(examined.out()).contains("the documents that were not moved cannot be counted");
        assertThat(Es.entry(requestId).orElseThrow().path("state").asText()).isEqualTo("parked");

        Console.Ended abandoned = abandon(requestId, "--yes");
        assertThat(abandoned.code()).as(abandoned.out()).isZero();
        try (Janitors janitors = Janitors.start(1)) {
            assertThat(log.outcome(requestId).path("status").asText())
                    .as("%s", janitors)
                    .isEqualTo("abandoned");
            Awaitility.await("the entry is closed")
                    .atMost(Log.PATIENCE)
                    .until(() -> Es.entry(requestId)
                            .orElseThrow()
                            .path("state")
                            .asText()
                            .equals("closed"));
            tree.assertNothingLeft();
        }
    }

    private static Console.Ended abandon(String requestId, String option) throws IOException {
        return Console.run(
                Console.RENAME_ADMIN,
                List.of("abandon", "--elasticsearch-url=" + TestServers.elasticsearchUrl(), option, requestId));
    }

    /** Parks a rename of /a: gives the alias of the tree to another index before the rename ends. */
    private static String parkedByAnotherAlias(Tree tree, String other) throws IOException, InterruptedException {
        Es.put("/" + other, "{\"mappings\":{\"properties\":{\"path\":{\"type\":\"keyword\"}}}}");
        Group group = Group.atTheEndOfTheLog();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        String requestId = Requests.id(request);
        try (Workers workers = Workers.instrumented(1, group.option(), "--lease=1h", "--freeze-at=BEFORE_PROOF")) {
            log.send(0, request.toString());
            Awaitility.await("the worker is frozen").atMost(Log.PATIENCE).until(() -> isFrozen(workers));
            assertThat(tree.paths().values()).allMatch(path -> path.startsWith("/b"));

            aliases(remove(tree.concrete(), tree.name()), add(other, tree.name()));
            workers.wake();

            assertThat(parked(requestId).path("parking").path("reason").asText())
                    .startsWith("the indices of namespace " + tree.name() + " have changed since the commit")
                    .contains(tree.concrete());
            assertThat(log.outcomes(requestId)).isEmpty();
        }
        return requestId;
    }

    private static JsonNode renamed(Tree tree, String source, String destination) {
        ObjectNode request = Requests.rename(tree.name(), source, destination);
        log.send(0, request.toString());
        return log.outcome(Requests.id(request));
    }

    private static void assertRefused(JsonNode outcome, Tree one, Tree other) {
        assertThat(outcome.path("status").asText()).as("%s", outcome).isEqualTo("failed");
        assertThat(outcome.path("reason").asText()).isEqualTo("tree_refused");
        assertThat(outcome.path("message").asText())
                .contains("share the index " + one.concrete(), one.name(), other.name());
    }

    @Test
    void renames_are_refused_while_the_alias_contains_an_index_that_does_not_store_all_of_a_document() {
        Tree tree = filledTree();
        String other = tree.name() + "-2";
        Es.put("/" + other, """
                {"mappings":{"_source":{"excludes":["secret"]},
                 "properties":{"path":{"type":"keyword"},"secret":{"type":"keyword"}}}}""");
        String secret = "/" + other + "/_count?q=secret:s1";
        Group group = Group.atTheEndOfTheLog();
        try (Workers workers = Workers.start(1, group.option())) {
            assertThat(renamed(tree, "/a", "/b").path("status").asText())
                    .as("%s", workers.ids())
                    .isEqualTo("completed");
            Es.put("/" + other + "/_doc/x?refresh=true", """
                    {"path":"/c","parent":"/","name":"c","type":"file","secret":"s1"}""");
            aliases(remove(tree.concrete(), tree.name()), add(other, tree.name()));

            JsonNode outcome = renamed(tree, "/c", "/d");

            assertThat(Es.post(secret, "").path("count").asInt()).isOne();
            assertThat(outcome.path("reason").asText()).as("%s", outcome).isEqualTo("tree_refused");
            assertThat(outcome.path("message").asText()).contains("_source is stored only in part", other);
            aliases(remove(other, tree.name()), add(tree.concrete(), tree.name()));
            assertThat(renamed(tree, "/b", "/a").path("status").asText()).isEqualTo("completed");
        }
        tree.assertNothingLeft();
    }

    @Test
    void renames_of_two_namespaces_are_refused_while_their_aliases_share_an_index() {
        Tree one = filledTree();
        Tree other = filledTree();
        Group group = Group.atTheEndOfTheLog();
        try (Workers workers = Workers.start(1, group.option())) {
            assertThat(renamed(one, "/a", "/b").path("status").asText())
                    .as("%s", workers.ids())
                    .isEqualTo("completed");

            aliases(add(one.concrete(), other.name()));

            assertRefused(renamed(one, "/b", "/c"), one, other);
            assertRefused(renamed(other, "/a", "/c"), one, other);
            assertThat(one.paths().values()).noneMatch(path -> path.startsWith("/c"));

            aliases(remove(one.concrete(), other.name()));

            assertThat(renamed(one, "/b", "/c").path("status").asText()).isEqualTo("completed");
            assertThat(renamed(other, "/a", "/c").path("status").asText()).isEqualTo("completed");
        }
        one.assertNothingLeft();
        other.assertNothingLeft();
    }
}
