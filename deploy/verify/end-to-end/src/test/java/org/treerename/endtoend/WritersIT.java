package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.treerename.crash.CrashPoint;
import org.treerename.process.FencedException;
import org.treerename.producer.writer.LockedException;
import org.treerename.producer.writer.TreeLocks;
import org.treerename.producer.writer.WriteHold;
import org.treerename.producer.writer.WriterSettings;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;
import org.treerename.testservers.TestServers;

/**
 * Tests programs that lock paths of a tree and write documents at these paths, while a real worker and a real janitor
 * run.
 */
final class WritersIT {

    private static final Duration LEASE = Duration.ofSeconds(12);
    private static final int MANY = 100_000;
    private static final int LOST = 3;

    /**
     * A gate that blocks a rename before its replaced directory is deleted. Only one rename of this class replaces a
     * directory.
     */
    private static final Gate gate = Gate.at(CrashPoint.BEFORE_REMOVAL, 1);

    private static Log topics;
    private static Janitors janitors;
    private static Workers workers;

    @BeforeAll
    static void start() {
        Tree.create();
        topics = Log.open();
        janitors = Janitors.start(1);
        workers = Workers.instrumented(1, "--page-size=100", gate.option());
    }

    @AfterAll
    static void stop() {
        workers.close();
        janitors.close();
        topics.close();
    }

    private static Tree tree(int files) {
        Tree tree = Tree.create().directories("/d", "/d/e", "/d/e/f");
        for (int i = 0; i < files; i++) {
            tree.files("/d/e/file-" + i);
        }
        return tree.index();
    }

    private static TreeLocks treeLocks() {
        return TreeLocks.connect(WriterSettings.of(TestServers.elasticsearchUrl())
                .withService("test-writer")
                .withLease(LEASE));
    }

    private static ObjectNode send(Tree tree, String source, String destination) {
        ObjectNode request = Requests.rename(tree.name(), source, destination);
        topics.send(0, request.toString());
        return request;
    }

    private static JsonNode entry(String requestId) {
        return Es.entry(requestId).orElseThrow();
    }

    private static void assertCompleted(ObjectNode request) {
        assertThat(topics.outcome(Requests.id(request)).path("status").asText()).isEqualTo("completed");
    }

    @Test
    void a_rename_waits_for_all_writers_and_then_moves_the_documents_that_they_have_written() {
        Tree tree = tree(20);
        ObjectNode within;
        ObjectNode above;
        try (TreeLocks one = treeLocks();
                TreeLocks other = treeLocks();
                WriteHold shared = other.write(tree.name(), "/d/e", "/d/e/f")) {
            try (WriteHold held = one.write(tree.name(), "/d/e")) {
                within = send(tree, "/d/e/file-0", "/d/e/f/file-0");
                assertCompleted(within);
                above = send(tree, "/d", "/moved");
                Claims.awaitRefusal(tree.name(), Requests.id(above));
                assertThat(held.stillHeld()).isTrue();
                assertThat(shared.stillHeld()).isTrue();
                assertThat(entry(held.requestId()).path("state").asText()).isEqualTo("held");
            }
            tree.files("/d/e/f/written-under-the-lock").index();
            assertThat(Claims.in(tree.name())).contains(Requests.id(above));
            assertThat(entry(Requests.id(above)).path("state").asText()).isEqualTo("prepared");
            assertThat(shared.stillHeld()).isTrue();
        }

        assertCompleted(above);
        assertThat(tree.paths().values())
                .contains("/moved/e/f/written-under-the-lock", "/moved/e/f/file-0")
                .noneMatch(path -> path.startsWith("/d"));
        tree.assertNothingLeft();
    }

    @Test
    void a_writer_waits_for_a_rename_and_acquires_its_hold_after_the_directory_has_moved() throws Exception {
        Tree tree = tree(20).directories("/d/moved").index();
        ChangeCheck changeCheck = ChangeCheck.of(tree);
        ObjectNode rename = Requests.rename(tree.name(), "/d/e", "/d/moved").put("on_existing", "replace");
        topics.send(0, rename.toString());
        gate.awaitReached();

        try (TreeLocks treeLocks = treeLocks();
                WriteHold held = heldAfterARefusal(treeLocks, tree)) {
            assertThat(entry(Requests.id(rename)).path("state").asText()).isIn("done", "closed");
            assertThat(entry(held.requestId())
                            .path("waiting")
                            .path("refused_by")
                            .asText())
                    .isEqualTo(Requests.id(rename));
            assertThat(tree.paths().values()).doesNotContain("/d/e").contains("/d/moved/file-0");
        }
        assertCompleted(rename);
        changeCheck.assertGood(0);
        tree.assertNothingLeft();
    }

    /** Waits until the writer is refused, and opens the gate. Returns the hold that the writer then acquires. */
    private static WriteHold heldAfterARefusal(TreeLocks treeLocks, Tree tree) throws Exception {
        CompletableFuture<WriteHold> held =
                CompletableFuture.supplyAsync(() -> treeLocks.write(tree.name(), "/d/e"), Thread::startVirtualThread);
        Awaitility.await("the writer is refused")
                .atMost(Log.PATIENCE)
                .until(() -> Claims.at(tree.name(), "/d/e").stream().anyMatch(id -> id.startsWith("write-")));
        assertThat(held).isNotDone();
        gate.open();
        return held.get(2, TimeUnit.MINUTES);
    }

    @Test
    void a_writer_that_waits_too_long_gets_an_error_that_names_the_holder() {
        Tree tree = tree(0);
        String holder = UUID.randomUUID().toString();
        Holding.ofLiveProcess(tree.name(), "/d/e", holder);
        WriterSettings impatient = WriterSettings.of(TestServers.elasticsearchUrl())
                .withLease(LEASE)
                .withLockWait(Duration.ofMillis(300));
        try (TreeLocks treeLocks = TreeLocks.connect(impatient)) {
            assertThatThrownBy(() -> treeLocks.write(tree.name(), "/d/e/f"))
                    .isInstanceOf(LockedException.class)
                    .hasMessage(
                            "waited 300 ms for the locks to write into /d/e/f in %s: "
                                    + "/d/e is held exclusively by request %s of process holder-%s",
                            tree.name(), holder, holder);
        } finally {
            Holding.release(tree.name(), "/d/e", holder);
        }
        tree.assertNothingLeft();
    }

    /** Starts the example program {@code Indexer} with a pause of 20 ms after each document. */
    private static ChildProcess indexer(Tree tree, Path log) throws IOException {
        return indexer(tree, log, Duration.ofMillis(20));
    }

    /** Starts {@code Indexer}. The program sleeps for {@code rest} after each document. */
    private static ChildProcess indexer(Tree tree, Path log, Duration rest) throws IOException {
        return JavaCommand.of(
                        "org.treerename.examples.Indexer",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        log)
                .jvmOptions("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .arguments(
                        TestServers.elasticsearchUrl(),
                        tree.name(),
                        tree.name(),
                        "/d/e",
                        String.valueOf(MANY),
                        String.valueOf(rest.toMillis()),
                        String.valueOf(LEASE.toMillis()))
                .start();
    }

    private static Path log() {
        return Path.of("target", "writers", UUID.randomUUID() + ".log");
    }

    private static boolean isLogged(Path log, String words) {
        try {
            return Files.exists(log) && Files.readString(log).contains(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitWritten(Tree tree) {
        Awaitility.await("the indexer has written a document")
                .atMost(Log.PATIENCE)
                .until(() -> tree.paths().values().stream().anyMatch(path -> path.startsWith("/d/e/document-")));
    }

    private static JsonNode heldEntry(Tree tree) {
        return Es.control("rename").stream()
                .filter(entry -> entry.path("namespace").asText().equals(tree.name()))
                .filter(entry -> entry.path("request").has("directories"))
                .findFirst()
                .orElseThrow();
    }

    private static void assertAllMoved(Tree tree) {
        assertThat(tree.paths().values())
                .anyMatch(path -> path.startsWith("/d/moved/document-"))
                .noneMatch(path -> path.startsWith("/d/e"));
    }

    @Test
    void a_janitor_fences_a_killed_writer_and_the_rename_goes_on() throws IOException {
        Tree tree = tree(20);
        ObjectNode rename;
        JsonNode held;
        try (ChildProcess writer = indexer(tree, log())) {
            awaitWritten(tree);
            held = heldEntry(tree);
            rename = send(tree, "/d/e", "/d/moved");
            Claims.awaitRefusal(tree.name(), Requests.id(rename));
            assertThat(entry(Requests.id(rename)).path("state").asText()).isEqualTo("prepared");

            writer.kill();
        }

        assertCompleted(rename);
        assertAllMoved(tree);
        String heldId = held.path("request_id").asText();
        Awaitility.await("the entry of the dead writer is closed")
                .atMost(Log.PATIENCE)
                .until(() -> entry(heldId).path("state").asText().equals("closed"));
        JsonNode closed = entry(heldId);
        assertThat(closed.path("outcome").isNull()).isTrue();
        assertThat(closed.path("owner").asText()).isIn(janitors.ids());
        assertThat(Services.state(held.path("owner").asText())).isEqualTo("fenced");
        assertThat(topics.outcomes(held.path("request_id").asText())).isEmpty();
        tree.assertNothingLeft();
    }

    @Test
    void a_writer_that_freezes_for_longer_than_its_lease_writes_nothing_when_it_wakes()
            throws IOException, InterruptedException {
        Tree tree = tree(20);
        Path log = log();
        // the writer sleeps for a second after each document, so it freezes while no request is in flight; otherwise a
        // request could arrive at any time
        try (ChildProcess writer = indexer(tree, log, Duration.ofSeconds(1))) {
            awaitWritten(tree);
            signal(writer, "-STOP");
            ObjectNode rename = send(tree, "/d/e", "/d/moved");
            assertCompleted(rename);
            signal(writer, "-CONT");

            assertThat(writer.waitFor(Log.PATIENCE)).isEqualTo(LOST);
        }

        assertThat(isLogged(log, "the indexer has lost the locks of [/d/e]")).isTrue();
        assertAllMoved(tree);
        tree.assertNothingLeft();
    }

    private static void signal(ChildProcess process, String signal) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", signal, String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void a_writer_that_receives_a_stop_signal_releases_its_locks() throws IOException {
        Tree tree = tree(20);
        JsonNode held;
        try (ChildProcess writer = indexer(tree, log())) {
            awaitWritten(tree);
            held = heldEntry(tree);
        }

        JsonNode closed = entry(held.path("request_id").asText());
        assertThat(closed.path("state").asText()).isEqualTo("closed");
        assertThat(closed.path("owner")).isEqualTo(held.path("owner"));
        assertThat(Services.state(held.path("owner").asText())).isEqualTo("stopped");
        tree.assertNothingLeft();
    }

    @Test
    void a_live_writer_that_is_fenced_loses_its_hold_and_acquires_a_new_one_as_a_new_process() {
        Tree tree = tree(0);
        CompletableFuture<String> loss = new CompletableFuture<>();
        try (TreeLocks treeLocks = treeLocks();
                WriteHold held = treeLocks.write(tree.name(), "/d/e")) {
            held.onLoss(() -> loss.complete("lost"));
            String first = entry(held.requestId()).path("owner").asText();
            Es.post(
                    "/tree-rename-control/_update/process:" + first + "?retry_on_conflict=20",
                    "{\"doc\":{\"state\":\"fenced\"}}");

            assertThat(loss.get(1, TimeUnit.MINUTES)).isEqualTo("lost");
            assertThat(held.stillHeld()).isFalse();
            try (WriteHold again = writeAgain(treeLocks, tree)) {
                assertThat(again.stillHeld()).isTrue();
                assertThat(entry(again.requestId()).path("owner").asText())
                        .startsWith("test-writer-")
                        .isNotEqualTo(first);
            }
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
        tree.assertNothingLeft();
    }

    /**
     * Acquires a new hold. The first attempt fails if it detects that the process is fenced. In this case the method
     * makes a second attempt.
     */
    private static WriteHold writeAgain(TreeLocks treeLocks, Tree tree) {
        try {
            return treeLocks.write(tree.name(), "/d/e");
        } catch (FencedException e) {
            return treeLocks.write(tree.name(), "/d/e");
        }
    }

    @Test
    void refuses_an_unknown_namespace_an_invalid_path_and_calls_after_close() {
        Tree tree = tree(0);
        try (TreeLocks treeLocks = treeLocks()) {
            assertThatThrownBy(() -> treeLocks.write("no-such-tree", "/a"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("no namespace is called \"no-such-tree\"; correct the name, or define the namespace"
                            + " with rename-admin namespaces define");
            assertThatThrownBy(() -> treeLocks.write(tree.name(), "a/"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a path must begin with \"/\", found \"a/\"");
            assertThatThrownBy(() -> treeLocks.write(tree.name())).isInstanceOf(IllegalArgumentException.class);
            treeLocks.close();
            assertThatThrownBy(() -> treeLocks.write(tree.name(), "/d"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("this TreeLocks object is closed; create a new object");
        }
    }
}
