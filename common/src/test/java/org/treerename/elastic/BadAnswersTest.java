package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.Journal.Prepared;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.namespace.Namespace;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.LockSearch;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.process.Pause;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Removal;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeStore.Written;

/**
 * Tests the reaction of this package to bad answers from Elasticsearch. Every operation of this package runs against a
 * node that answers one request badly and all other requests well. After the bad answer, the operation may report a
 * conflict, an unknown effect ({@link NoAnswerException}) or a refusal ({@link RefusedException}). The operation must
 * never report success.
 */
public class BadAnswersTest {

    public static final Namespace FILES = Namespace.ofFiles("files", GoodNode.INDEX);
    private static final Version SEEN = new Version(6, 1);
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final RecordPosition PLACE = new RecordPosition("rename.requests", 0, 5);
    private static final Hold HOLD = new Hold("h1", "worker-1", new LockPriority(1, "r1"));
    private static final LockSet LOCKS = LockSet.tree("files", new TreePath("/a"), new TreePath("/b"));
    private static final LockSet DOCUMENTS = LockSet.documents("files", List.of(new TreePath("/a/x")));
    private static final Document DOCUMENT =
            new Document(new Document.Ref(GoodNode.INDEX, "d1", null, SEEN), "/a/x", RawJson.of("{\"path\":\"/a/x\"}"));
    private static final JournalEntry ENTRY = TestEntry.of(
                    new RenameRequest("r1", "files", "/a", "/b", OnExisting.FAIL, null))
            .place(PLACE)
            .owner("worker-1", 1, "h1")
            .build();
    private static final ProcessDocument PROCESS = ProcessDocument.live(
            new ProcessId("worker-1"), "worker", "host", Duration.ofSeconds(30), Instant.EPOCH, "uuid");
    private static final Map<String, JsonNode> CONTROL = control();

    private static Map<String, JsonNode> control() {
        Map<String, JsonNode> documents = new TreeMap<>();
        documents.put("rename:r1", EntryJson.write(ENTRY));
        for (LockSet locks : List.of(LOCKS, DOCUMENTS)) {
            locks.parts().forEach((table, paths) -> documents.put(LockJson.id(table), held(table, paths)));
        }
        documents.put(NamespaceJson.id("files"), NamespaceJson.write(FILES));
        documents.put("process:worker-1", json("""
                        {"kind":"process","protocol":1,"process_id":"worker-1","service":"worker","host":"host","state":"live",
                        "heartbeat":0,"lease_millis":30000,"started_at":"1970-01-01T00:00:00Z","control_index_uuid":"uuid"}"""));
        documents.put("watermark:requests", json("{\"kind\":\"watermark\",\"protocol\":1,\"at\":0,\"written_at\":0}"));
        documents.put(
                "pause:workers", json("{\"kind\":\"pause\",\"protocol\":1,\"started_at\":\"1970-01-01T00:00:00Z\"}"));
        return documents;
    }

    private static JsonNode held(LockTable.Id table, SortedMap<TreePath, LockMode> paths) {
        ObjectNode lock = LockJson.identity(table, Notation.SLASHES).put("kind", "lock");
        ObjectNode hold = lock.putObject("holds")
                .putObject(HOLD.holdId())
                .put("request_id", HOLD.requestId())
                .put("process_id", HOLD.processId())
                .put("age_millis", HOLD.age().appendedAtMillis());
        LockJson.writePaths(hold, paths);
        lock.putObject("claims");
        if (table.ofDocument()) {
            lock.putArray("hold_ids").add(HOLD.holdId());
            lock.putArray("claim_ids");
        }
        return lock;
    }

    private static JsonNode json(String text) {
        return Json.read(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The index that an operation uses: the control index or the index of a tree. */
    public enum Target {
        CONTROL,
        TREE
    }

    /**
     * One operation of this package, and the rules for its result.
     *
     * @param fullPages whether the node answers searches of the control index with full pages
     * @param isSuccess returns true for a result that reports success: the operation took effect, or read everything
     * @param isEmptyWithoutIndex whether the operation treats a missing index as an empty index
     */
    public record Operation(
            String name,
            Target target,
            boolean fullPages,
            Function<Elastic, Object> run,
            Predicate<Object> isSuccess,
            boolean isEmptyWithoutIndex) {

        Operation(
                String name,
                Target target,
                boolean fullPages,
                Function<Elastic, Object> run,
                Predicate<Object> isSuccess) {
            this(name, target, fullPages, run, isSuccess, false);
        }

        static Operation reading(String name, Function<ControlIndex, Object> run) {
            return new Operation(name, Target.CONTROL, false, run.compose(ControlIndex::new), result -> true);
        }

        static Operation writeTarget(String name, Function<ControlIndex, Object> run) {
            return new Operation(
                    name,
                    Target.CONTROL,
                    false,
                    run.compose(ControlIndex::new),
                    result -> !(result instanceof WriteResult.Conflict));
        }

        public static Operation ofTree(String name, Function<Elastic, Object> run) {
            return new Operation(name, Target.TREE, false, run, result -> true);
        }

        Operation withFullPages() {
            return new Operation(name + " with full pages", target, true, run, isSuccess);
        }

        Operation succeedingIf(Predicate<Object> succeeds) {
            return new Operation(name, target, fullPages, run, succeeds);
        }

        Operation emptyWithoutIndex() {
            return new Operation(name, target, fullPages, run, isSuccess, true);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * Makes bad answers from one good answer. The list is empty if the good answer does not contain the part that must
     * be changed.
     */
    private interface Badly {
        List<StubNode.Answer> answers(StubNode.Answer good);
    }

    /** The results that an operation may report after a bad answer, in addition to a conflict. */
    private enum Allowed {
        /** The operation must report that the effect is unknown. */
        UNKNOWN,
        /**
         * The operation may report that the effect is unknown. An operation on a tree may report a refusal instead. An
         * operation on the control index must not report a refusal, because no work can finish without this index.
         */
        UNKNOWN_OR_REFUSED
    }

    private record Bad(String name, Allowed allowed, boolean isConflict, Badly badly) {}

    private static Bad http(int status, String type, Allowed allowed) {
        return new Bad(
                "status " + status + " " + type,
                allowed,
                status == 409,
                good -> List.of(new StubNode.Answer(
                        status, "{\"error\":{\"type\":\"" + type + "\"},\"status\":" + status + "}")));
    }

    /** Returns an answer that Elasticsearch does not send, but that a proxy may send. */
    private static Bad body(int status, String body) {
        return new Bad(
                "status " + status + " with the body '" + body + "'",
                status == 200 ? Allowed.UNKNOWN : Allowed.UNKNOWN_OR_REFUSED,
                false,
                good -> List.of(new StubNode.Answer(status, body)));
    }

    private static Bad part(int status, String type, Allowed allowed) {
        return new Bad("a part with " + status + " " + type, allowed, status == 409, good -> parts(good, status, type));
    }

    /** Returns copies of the good answer. In each copy, an error replaces a different good item, document or response. */
    private static List<StubNode.Answer> parts(StubNode.Answer good, int status, String type) {
        List<StubNode.Answer> answers = new ArrayList<>();
        for (String field : List.of("items", "docs", "responses")) {
            for (int i = 0; i < json(good.json()).path(field).size(); i++) {
                JsonNode answer = json(good.json());
                ObjectNode part = (ObjectNode) answer.path(field).path(i);
                if (field.equals("items")) {
                    part = (ObjectNode) part.elements().next();
                }
                if (part.has("error")) {
                    // this item fails in a good answer as well
                    continue;
                }
                String id = part.path("_id").asText();
                part.removeAll();
                part.put("_id", id).put("status", status).putObject("error").put("type", type);
                answers.add(new StubNode.Answer(200, answer.toString()));
            }
        }
        return answers;
    }

    private static Bad changed(String name, BiFunction<ObjectNode, String, Boolean> change) {
        return new Bad(name, Allowed.UNKNOWN, false, good -> {
            List<StubNode.Answer> answers = new ArrayList<>();
            ObjectNode whole = (ObjectNode) json(good.json());
            if (change.apply(whole, name)) {
                answers.add(new StubNode.Answer(200, whole.toString()));
            }
            for (int i = 0; i < json(good.json()).path("responses").size(); i++) {
                JsonNode answer = json(good.json());
                if (change.apply((ObjectNode) answer.path("responses").path(i), name)) {
                    answers.add(new StubNode.Answer(200, answer.toString()));
                }
            }
            return answers;
        });
    }

    private static boolean failShards(ObjectNode answer) {
        boolean has = answer.has("_shards");
        if (has) {
            answer.putObject("_shards").put("total", 2).put("successful", 1).put("failed", 1);
        }
        return has;
    }

    private static boolean timeOut(ObjectNode answer) {
        boolean has = answer.has("timed_out");
        if (has) {
            answer.put("timed_out", true);
        }
        return has;
    }

    private static boolean withoutHits(ObjectNode answer) {
        return answer.path("hits") instanceof ObjectNode hits && hits.remove("hits") != null;
    }

    private static final Bad NO_INDEX = http(404, "index_not_found_exception", Allowed.UNKNOWN_OR_REFUSED);
    private static final List<Bad> BAD = List.of(
            http(408, "timeout_exception", Allowed.UNKNOWN),
            http(409, "version_conflict_engine_exception", Allowed.UNKNOWN_OR_REFUSED),
            http(429, "es_rejected_execution_exception", Allowed.UNKNOWN),
            http(500, "null_pointer_exception", Allowed.UNKNOWN),
            http(503, "unavailable_shards_exception", Allowed.UNKNOWN),
            http(401, "security_exception", Allowed.UNKNOWN),
            http(403, "security_exception", Allowed.UNKNOWN_OR_REFUSED),
            NO_INDEX,
            http(400, "index_closed_exception", Allowed.UNKNOWN_OR_REFUSED),
            part(409, "version_conflict_engine_exception", Allowed.UNKNOWN_OR_REFUSED),
            part(429, "es_rejected_execution_exception", Allowed.UNKNOWN),
            part(503, "unavailable_shards_exception", Allowed.UNKNOWN),
            part(403, "security_exception", Allowed.UNKNOWN_OR_REFUSED),
            part(404, "index_not_found_exception", Allowed.UNKNOWN_OR_REFUSED),
            part(400, "index_closed_exception", Allowed.UNKNOWN_OR_REFUSED),
            changed("failed shards", (answer, name) -> failShards(answer)),
            changed("a timeout in a search", (answer, name) -> timeOut(answer)),
            new Bad("an empty object", Allowed.UNKNOWN, false, good -> List.of(new StubNode.Answer(200, "{}"))),
            changed(
                    "a search without a report about its timeout",
                    (answer, name) -> answer.remove("timed_out") != null),
            changed("a search without hits", (answer, name) -> withoutHits(answer)),
            body(200, ""),
            body(404, ""),
            body(409, ""),
            body(200, "null"),
            body(404, "null"),
            body(404, "not found"),
            new Bad(
                    "half of the body",
                    Allowed.UNKNOWN,
                    false,
                    good -> List.of(new StubNode.Answer(
                            200, good.json().substring(0, good.json().length() / 2)))),
            new Bad("a closed connection", Allowed.UNKNOWN, false, good -> List.of(StubNode.NONE)));

    /** Answers one request of a run badly and all other requests well. */
    private static final class Answers implements Function<StubNode.Request, StubNode.Answer> {
        private final GoodNode good;
        private final List<StubNode.Request> asked = new ArrayList<>();
        private final List<StubNode.Answer> answered = new ArrayList<>();
        private int badOne = -1;
        private Function<StubNode.Answer, StubNode.Answer> bad = answer -> answer;

        Answers(GoodNode good) {
            this.good = good;
        }

        @Override
        public synchronized StubNode.Answer apply(StubNode.Request request) {
            StubNode.Answer answer = good.apply(request);
            asked.add(request);
            answered.add(answer);
            return asked.size() - 1 == badOne ? bad.apply(answer) : answer;
        }

        synchronized void begin(int badRequest, Function<StubNode.Answer, StubNode.Answer> how) {
            asked.clear();
            answered.clear();
            badOne = badRequest;
            bad = how;
        }
    }

    private static Attempt attempt() {
        return new Attempt(JournalStep.ATTEMPT, ENTRY, null, null, HOLD, LOCKS);
    }

    private static Object closing(Scan scan) {
        List<Document> page = scan.nextPage();
        return List.of(page, scan.nextPage());
    }

    static Stream<Operation> operations() {
        Versioned<JournalEntry> stored = new Versioned<>(ENTRY, SEEN);
        LockSet open = LOCKS.opened();
        Document.Ref ref = DOCUMENT.ref();
        Rename rename = new Rename("r1", FILES, new TreePath("/a"), new TreePath("/b"), OnExisting.FAIL);
        return Stream.of(
                Operation.writeTarget("journal.prepare", control -> new ElasticJournal(control).prepare(attempt()))
                        .succeedingIf(result -> result instanceof Prepared prepared
                                && prepared.entry() instanceof WriteResult.Written
                                && prepared.taken()),
                Operation.writeTarget(
                        "journal.create", control -> new ElasticJournal(control).create(JournalStep.ATTEMPT, ENTRY)),
                Operation.writeTarget(
                        "journal.write", control -> new ElasticJournal(control).write(JournalStep.NO_OP, ENTRY, SEEN)),
                Operation.writeTarget("journal.delete", control -> new ElasticJournal(control).delete(List.of(stored)))
                        .succeedingIf(deleted -> !deleted.equals(0)),
                Operation.reading("journal.read", control -> new ElasticJournal(control).read("r1")),
                Operation.reading(
                        "journal.read of many", control -> new ElasticJournal(control).read(List.of("r1", "r2"))),
                Operation.reading(
                        "journal.readForCertain", control -> new ElasticJournal(control).readForCertain("r1")),
                Operation.reading("journal.in", control -> new ElasticJournal(control).in(Set.of(State.PREPARED))),
                Operation.reading("journal.in", control -> new ElasticJournal(control).in(Set.of(State.PREPARED)))
                        .withFullPages(),
                Operation.reading(
                        "journal.olderThan",
                        control -> new ElasticJournal(control).olderThan(State.CLOSED, Instant.EPOCH, 10)),
                Operation.reading("journal.latest", control -> new ElasticJournal(control).latest("files", 1, 10)),
                Operation.reading("locks.release", control -> {
                    new ElasticLockStore(control).release(LOCKS, Release.ofHold("h1"));
                    return "released";
                }),
                Operation.reading("locks.release of an open set", control -> {
                    new ElasticLockStore(control).release(open, Release.ofRequest("r1", Set.of("h1")));
                    return "released";
                }),
                Operation.reading("locks.all", control -> new ElasticLockStore(control).all()),
                Operation.reading("locks.contradictions", control -> new ElasticLockStore(control).contradictions()),
                Operation.reading(
                        "locks.read",
                        control ->
                                new ElasticLockStore(control).read(LOCKS.parts().keySet())),
                Operation.writeTarget("processes.create", control -> new ElasticProcessStore(control).create(PROCESS)),
                Operation.writeTarget(
                        "processes.write", control -> new ElasticProcessStore(control).write(PROCESS, SEEN)),
                Operation.writeTarget(
                        "processes.delete", control -> new ElasticProcessStore(control).delete(PROCESS.id(), SEEN)),
                Operation.reading("processes.read", control -> new ElasticProcessStore(control).read(PROCESS.id())),
                Operation.reading("processes.ids", control -> new ElasticProcessStore(control).ids(ProcessState.LIVE)),
                Operation.reading("processes.in", control -> new ElasticProcessStore(control).in(ProcessState.LIVE)),
                Operation.reading("watermark.raise", control -> new ElasticWatermark(control).raise(Instant.EPOCH)),
                Operation.reading("pause.read", control -> new ElasticPauseStore(control).read()),
                Operation.writeTarget(
                        "pause.create",
                        control -> new ElasticPauseStore(control).create(new Pause(Instant.EPOCH, "an operator"))),
                Operation.writeTarget("pause.delete", control -> new ElasticPauseStore(control).delete(SEEN)),
                Operation.reading(
                        "journal search",
                        control -> new ElasticJournalSearch(control)
                                .find(JournalSearch.Filter.ALL, JournalSearch.Order.OLDEST_FIRST, null, 10)),
                Operation.reading("journal search, counted", control -> new ElasticJournalSearch(control).counted()),
                Operation.reading(
                        "journal search, counted by owner",
                        control -> new ElasticJournalSearch(control).countByOwner(Set.of(State.PREPARED))),
                Operation.reading(
                        "lock search",
                        control -> new LockSearch(new ElasticLockStore(control))
                                .find(new LockSearch.Filter.All(), null, 10)),
                new Operation(
                        "namespaces.find",
                        Target.CONTROL,
                        false,
                        elastic -> new ElasticNamespaces(elastic, new ControlIndex(elastic)).find("files"),
                        result -> true),
                new Operation(
                        "namespaces.all",
                        Target.CONTROL,
                        false,
                        elastic -> new ElasticNamespaces(elastic, new ControlIndex(elastic)).all(),
                        result -> true),
                new Operation(
                        "namespaces.stored",
                        Target.CONTROL,
                        false,
                        elastic -> new ElasticNamespaces(elastic, new ControlIndex(elastic)).stored(),
                        result -> true),
                Operation.ofTree("tree.indices", elastic -> tree(elastic).indices(FILES)),
                Operation.ofTree("tree.examine", elastic -> tree(elastic).examine(rename)),
                Operation.ofTree(
                        "tree.scan",
                        elastic -> closing(tree(elastic).scan(FILES, new TreePath("/a"), Reach.AT_OR_BELOW))),
                Operation.ofTree("tree.read", elastic -> tree(elastic).read(FILES, ref)),
                Operation.ofTree("tree.move", elastic -> tree(elastic).move(FILES, List.of(new Move(DOCUMENT, "/b/x"))))
                        .succeedingIf(BadAnswersTest::isDone),
                Operation.ofTree("tree.remove", elastic -> tree(elastic).remove(List.of(new Removal(ref))))
                        .succeedingIf(BadAnswersTest::isDone),
                Operation.ofTree(
                                "tree survey, documents without a path",
                                elastic -> new ElasticTreeSurvey(elastic, 10).pathless(FILES))
                        .emptyWithoutIndex(),
                Operation.ofTree("tree survey, paths", elastic -> new ElasticTreeSurvey(elastic, 10).paths(FILES, null))
                        .emptyWithoutIndex(),
                Operation.ofTree(
                        "tree survey, directories",
                        elastic -> new ElasticTreeSurvey(elastic, 10).directories(FILES, Set.of("/a/x"))),
                Operation.ofTree(
                                "tree survey, path fields",
                                elastic -> closing(new ElasticTreeSurvey(elastic, 10).pathFields(FILES)))
                        .emptyWithoutIndex(),
                Operation.ofTree(
                                "tree survey, documents",
                                elastic -> new ElasticTreeSurvey(elastic, 10).documents(FILES, new TreePath("/a")))
                        .emptyWithoutIndex());
    }

    private static boolean isDone(Object result) {
        return result instanceof List<?> written && written.stream().anyMatch(Written.Done.class::isInstance);
    }

    private static ElasticTreeStore tree(Elastic elastic) {
        return new ElasticTreeStore(elastic, new ElasticTreeStore.Limits(10, 1_000));
    }

    @ParameterizedTest
    @MethodSource("operations")
    public void no_bad_answer_is_treated_as_success(Operation operation) {
        Answers answers = new Answers(new GoodNode(CONTROL, operation.fullPages()));
        List<String> wrong = new ArrayList<>();
        try (StubNode node = StubNode.answering(answers);
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), LONG))) {
            answers.begin(-1, Function.identity());
            assertThat(operation.isSuccess().test(operation.run().apply(elastic)))
                    .as("succeeds with good answers")
                    .isTrue();
            List<StubNode.Request> requests = List.copyOf(answers.asked);
            List<StubNode.Answer> good = List.copyOf(answers.answered);
            for (int i = 0; i < requests.size(); i++) {
                if (isBestEffort(requests.get(i))) {
                    continue;
                }
                for (Bad bad : BAD) {
                    for (StubNode.Answer answer : bad.badly().answers(good.get(i))) {
                        answers.begin(i, well -> answer);
                        String what = "request " + i + " (" + requests.get(i).path() + ") with " + bad.name();
                        problem(operation, bad, elastic).ifPresent(found -> wrong.add(what + " " + found));
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /**
     * Returns whether a request closes a point in time. A failed close is harmless, because the point in time expires.
     */
    private static boolean isBestEffort(StubNode.Request request) {
        return request.method().equals("DELETE") && request.path().equals("/_pit");
    }

    /**
     * Runs an operation against a node that answers badly. Returns a description of the result if the result is not
     * allowed.
     */
    private static Optional<String> problem(Operation operation, Bad bad, Elastic elastic) {
        Object result;
        try {
            result = operation.run().apply(elastic);
        } catch (NoAnswerException e) {
            return Optional.empty();
        } catch (RefusedException e) {
            boolean mayBeRefused = bad.allowed() == Allowed.UNKNOWN_OR_REFUSED && operation.target() == Target.TREE;
            return mayBeRefused ? Optional.empty() : Optional.of("is refused: " + e.getMessage());
        } catch (RuntimeException e) {
            return Optional.of("ends with " + e);
        }
        if (operation.isEmptyWithoutIndex() && bad.equals(NO_INDEX)) {
            return Optional.empty();
        }
        if (operation.isSuccess().test(result)) {
            return Optional.of("returns " + result);
        }
        boolean isRefused =
                result instanceof List<?> written && written.stream().anyMatch(Written.Refused.class::isInstance);
        if (isRefused && bad.allowed() == Allowed.UNKNOWN) {
            return Optional.of("returns " + result);
        }
        boolean isConflict = result instanceof WriteResult.Conflict || result.equals(0);
        return isConflict && !bad.isConflict() ? Optional.of("returns " + result) : Optional.empty();
    }

    static Stream<Operation> one_operation_of_each_kind_of_request() {
        Set<String> names = Set.of(
                "journal.prepare",
                "journal.read",
                "journal.in with full pages",
                "tree.indices",
                "tree.scan",
                "tree.move");
        return operations().filter(operation -> names.contains(operation.name()));
    }

    @ParameterizedTest
    @MethodSource("one_operation_of_each_kind_of_request")
    void an_answer_after_the_time_out_is_no_answer(Operation operation) {
        Answers answers = new Answers(new GoodNode(CONTROL, operation.fullPages()));
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger requests = new AtomicInteger();
        List<String> wrong = new ArrayList<>();
        try (StubNode node = StubNode.answering(request -> {
                    StubNode.Answer answer = answers.apply(request);
                    if (requests.decrementAndGet() == -1) {
                        await(over);
                    }
                    return answer;
                });
                Elastic patient = Elastic.connect(Elastic.Settings.of(node.url(), LONG));
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), SHORT))) {
            requests.set(Integer.MAX_VALUE);
            operation.run().apply(patient);
            List<StubNode.Request> asked = List.copyOf(answers.asked);
            for (int i = 0; i < asked.size(); i++) {
                if (!isBestEffort(asked.get(i))) {
                    requests.set(i);
                    String what = "request " + i + " (" + asked.get(i).path() + ")";
                    outcome(operation, elastic).ifPresent(found -> wrong.add(what + " " + found));
                }
            }
            over.countDown();
        }
        assertThat(wrong).isEmpty();
    }

    private static Optional<String> outcome(Operation operation, Elastic elastic) {
        try {
            return Optional.of("returns " + operation.run().apply(elastic));
        } catch (NoAnswerException e) {
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of("ends with " + e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
