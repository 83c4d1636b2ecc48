package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.treerename.checker.Comparison;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.TreeDump;
import org.treerename.checker.TreeModel;
import org.treerename.crash.CrashPoint;
import org.treerename.path.TreePath;

/**
 * Tests renames of unusual paths. Each request is sent twice. In one test the worker is killed in the middle of the
 * first move, and all requests are delivered again.
 */
final class PathsIT {

    private static final String NFC = "/\u00e9";
    private static final String NFD = "/e\u0301";

    /** The number of characters in each segment of {@link #everyCharacter}, except the last segment. */
    private static final int CHUNK = 512;

    /** The test renames one of every 16 segments. The other segments only move with their parent. */
    private static final int RENAMED_ONE_IN = 16;

    private static Log log;
    private static Janitors janitors;

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
        janitors = Janitors.start(1);
    }

    @AfterAll
    static void stop() {
        janitors.close();
        log.close();
    }

    /** Collects the renames of one tree with the expected results, and then sends them in their order. */
    private static final class Course {

        private final Tree tree;
        private final ChangeCheck changeCheck;
        private final TreeModel model;
        private final List<ObjectNode> requests = new ArrayList<>();
        private final List<String> reasons = new ArrayList<>();

        Course(Tree tree) {
            this.tree = tree;
            this.changeCheck = ChangeCheck.of(tree);
            this.model = TreeModel.of(changeCheck.before());
        }

        void renamed(String source, String destination) {
            assertThat(model.apply(source, destination, false))
                    .as("%s to %s", source, destination)
                    .isInstanceOf(TreeModel.Applied.Renamed.class);
            add(source, destination, "");
        }

        void rejected(String source, String destination, String reason) {
            add(source, destination, reason);
        }

        private void add(String source, String destination, String reason) {
            requests.add(Requests.rename(tree.name(), source, destination));
            reasons.add(reason);
        }

        /**
         * Sends each request twice. The worker is killed during the first move. A second worker of the same group
         * receives all requests again.
         */
        void runWithACrash() {
            Group group = Group.atTheEndOfTheLog();
            List<String> dying = new ArrayList<>(options(group));
            dying.add("--crash-at=" + new CrashCase(CrashPoint.WITHIN_MOVE, 2));
            try (Workers first = Workers.instrumented(1, dying.toArray(String[]::new))) {
                send();
                assertThat(first.processes().getFirst().waitFor(Log.PATIENCE)).isEqualTo(CrashCase.KILLED);
            }
            try (Workers second = worker(group)) {
                assertOutcomes();
                JsonNode firstOutcome = log.outcome(Requests.id(requests.getFirst()));
                assertThat(firstOutcome.path("rolled_forward").asBoolean())
                        .as("%s", second.ids())
                        .isTrue();
                changeCheck.assertGood(1);
            }
            assertRenamed();
        }

        /** Sends each request twice to one worker, and checks the outcomes and the tree. */
        void run() {
            try (Workers workers = worker(Group.atTheEndOfTheLog())) {
                send();
                assertOutcomes();
                assertThat(workers.processes().getFirst().isAlive()).isTrue();
                changeCheck.assertGood(0);
            }
            assertRenamed();
        }

        private static Workers worker(Group group) {
            return Workers.start(1, options(group).toArray(String[]::new));
        }

        private static List<String> options(Group group) {
            return List.of(group.option(), "--lease=2s", "--page-size=20");
        }

        private void send() {
            for (ObjectNode request : requests) {
                log.send(0, Es.ascii(request));
                log.send(0, Es.ascii(request));
            }
        }

        private void assertOutcomes() {
            for (int i = 0; i < requests.size(); i++) {
                assertOneOutcome(requests.get(i), reasons.get(i));
            }
        }

        private void assertRenamed() {
            try (ElasticsearchHttp http = new ElasticsearchHttp(Elasticsearch.SHARED.url())) {
                Comparison comparison = Comparison.of(model, TreeDump.read(http, tree.namespace()));
                assertThat(comparison.isEqual()).as(comparison.toString()).isTrue();
            }
            tree.assertNothingLeft();
        }

        private static void assertOneOutcome(ObjectNode request, String reason) {
            log.outcomeText(Requests.id(request), 2);
            JsonNode outcome = log.outcome(Requests.id(request));
            assertThat(outcome.path("status").asText())
                    .as("%s", outcome)
                    .isEqualTo(reason.isEmpty() ? "completed" : "rejected");
            assertThat(outcome.path("reason").asText("")).as("%s", outcome).isEqualTo(reason);
            assertThat(new HashSet<>(log.outcomes(Requests.id(request)))).hasSize(1);
        }
    }

    private static void fill(Tree tree, String directory, int files) {
        tree.directories(directory);
        for (int i = 0; i < files; i++) {
            tree.files(directory + "/" + i);
        }
    }

    /** Creates {@code segments} nested directories, and returns the path of the deepest directory. */
    private static String chain(Tree tree, String top, String segment, int segments) {
        StringBuilder path = new StringBuilder(top);
        tree.directories(top);
        for (int i = 1; i < segments; i++) {
            path.append('/').append(segment);
            tree.directories(path.toString());
        }
        return path.toString();
    }

    @Test
    void paths_that_look_alike_are_kept_apart() {
        Tree tree = Tree.create();
        for (String directory : List.of("/a", "/a/a", "/a/a/a", "/ab", "/a b", "/a ", "/A", "/a.", "/a-", "/a0")) {
            fill(tree, directory, directory.equals("/a") ? 60 : 3);
        }
        fill(tree, NFC, 3);
        fill(tree, NFD, 3);
        tree.files("/a\\", "/a*", "/a?", "/\"a\"", "/a\n");
        Course course = new Course(tree.index());

        course.renamed("/a", "/a Renamed");
        course.rejected("/a/", "/x", "invalid_path");
        course.rejected("/a", "/x", "source_not_found");
        course.rejected("/a Renamed", "/a Renamed/a/x", "into_itself");
        course.renamed("/a Renamed/a", "/a Renamed/a Renamed");
        course.renamed("/a Renamed/a Renamed/a", "/a");
        course.renamed("/ab", "/a/b");
        course.renamed("/A", "/a/A");
        course.renamed("/a b", "/ab");
        course.renamed("/a ", "/a b");
        course.renamed("/a.", "/a ");
        course.renamed("/a", "/a.");
        course.rejected(NFC, NFD, "destination_exists");
        course.renamed(NFC, "/e");
        course.renamed(NFD, NFC);
        course.renamed("/e", NFD);
        course.renamed("/a\\", "/a\\\\");
        course.renamed("/a*", "/?");
        course.renamed("/a?", "/*");
        course.renamed("/\"a\"", "/''");
        course.renamed("/a\n", "/\r\n");
        course.runWithACrash();
    }

    @Test
    void renames_the_longest_and_the_deepest_paths() {
        Tree tree = Tree.create();
        fill(tree, "/first", 60);
        String longSegment = "\uD83D\uDE00".repeat(254) + "l";
        String longest = chain(tree, "/" + longSegment, longSegment, 15);
        String name = "n".repeat(TreePath.MAX_CODE_POINTS - longest.codePointCount(0, longest.length()) - 1);
        tree.files(longest + "/" + name);
        String deepest = chain(tree, "/0", "d", TreePath.MAX_SEGMENTS - 1);
        tree.files(deepest + "/f");
        Course course = new Course(tree.index());
        assertThat((longest + "/" + name).codePoints()).hasSize(TreePath.MAX_CODE_POINTS);

        course.renamed("/first", "/first Renamed");
        course.renamed("/" + longSegment, "/" + "m".repeat(255));
        course.rejected("/" + "m".repeat(255), "/" + "m".repeat(256), "invalid_path");
        String moved = longest.replaceFirst("/" + longSegment, "/" + "m".repeat(255));
        course.renamed(moved + "/" + name, moved + "/" + name.substring(1));
        course.renamed("/0", "/1");
        course.rejected("/1", "/first Renamed/1", "invalid_path");
        String movedDeepest = deepest.replaceFirst("/0", "/1");
        course.renamed(movedDeepest + "/f", movedDeepest + "/f Renamed");
        course.rejected(movedDeepest + "/f Renamed", movedDeepest + "/f Renamed/f", "invalid_path");
        course.run();
    }

    /**
     * Returns texts with all characters of the Basic Multilingual Plane that a segment may contain, in the order of
     * their code points. The last text also contains some supplementary characters. All texts except the last have
     * CHUNK characters.
     */
    private static List<String> everyCharacter() {
        List<String> chunks = new ArrayList<>();
        StringBuilder chunk = new StringBuilder();
        for (int c = 1; c <= Character.MAX_VALUE + 100; c++) {
            boolean isForbidden = c == '/' || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
            if (!isForbidden) {
                chunk.appendCodePoint(c);
            }
            if (chunk.codePointCount(0, chunk.length()) == CHUNK) {
                chunks.add(chunk.toString());
                chunk.setLength(0);
            }
        }
        chunks.add(chunk.toString()
                + Character.toString(0x1F600)
                + Character.toString(0xE0001)
                + Character.toString(Character.MAX_CODE_POINT));
        return chunks;
    }

    private static String reversed(String chunk) {
        return new StringBuilder(chunk).reverse().toString();
    }

    @Test
    void a_segment_may_hold_every_character() {
        List<String> chunks = everyCharacter();
        assertThat(String.join("", chunks).codePoints())
                .hasSizeGreaterThan(Character.MAX_VALUE - 2_048)
                .contains(0x01, 0x1F, 0x7F, 0x85, 0x2028, 0xFEFF, 0xFFFF, 0x22, 0x5C, 0x2E, Character.MAX_CODE_POINT);
        Tree tree = Tree.create();
        tree.directories("/u");
        chunks.forEach(chunk -> {
            tree.directories("/u/" + chunk);
            tree.titled("/u/" + chunk + "/" + chunk, chunk);
        });
        Course course = new Course(tree.index());

        course.renamed("/u", "/v");
        for (int i = 0; i < chunks.size(); i += RENAMED_ONE_IN) {
            course.renamed("/v/" + chunks.get(i), "/v/" + reversed(chunks.get(i)));
            course.renamed(
                    "/v/" + reversed(chunks.get(i)) + "/" + chunks.get(i),
                    "/v/" + reversed(chunks.get(i)) + "/" + reversed(chunks.get(i)));
        }
        course.run();

        for (int i = 0; i < chunks.size(); i++) {
            String chunk = chunks.get(i);
            String at = "/v/" + (i % RENAMED_ONE_IN == 0 ? reversed(chunk) : chunk);
            String name = i % RENAMED_ONE_IN == 0 ? reversed(chunk) : chunk;
            assertFound(tree, "term", at, List.of(at));
            assertFound(tree, "prefix", at + "/", List.of(at + "/" + name));
        }
    }

    private static void assertFound(Tree tree, String query, String text, List<String> paths) {
        ObjectNode search = Es.JSON.createObjectNode();
        search.putObject("query").putObject(query).put("path", text);
        JsonNode found = Es.post("/" + tree.name() + "/_search", search.toString());
        assertThat(found.path("hits").path("hits").findValues("path"))
                .extracting(JsonNode::asText)
                .isEqualTo(paths);
    }
}
