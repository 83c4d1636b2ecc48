package org.treerename.janitor.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.janitor.process.ProcessWatch;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.LockPriority;
import org.treerename.namespace.Namespaces;
import org.treerename.overview.Cursors;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.JournalSearch.Order;
import org.treerename.overview.LockSearch;
import org.treerename.overview.LockedPath;
import org.treerename.overview.Overview;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.OwnedEntry;
import org.treerename.overview.ProcessSeen;
import org.treerename.overview.ProgressWatch;
import org.treerename.overview.UnderWay;
import org.treerename.path.TreePath;
import org.treerename.process.Pause;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.request.RequestIds;
import org.treerename.runtime.Time;

/** Reads the answers to the queries of the console, page by page. Only one thread calls this class. */
final class Views implements QueryCache.Reader {

    /** The maximum number of renames on a page. */
    static final int PAGE = 100;

    /**
     * The maximum number of paths on a page. This number is higher than {@link #PAGE}, so that a page shows related
     * paths together.
     */
    static final int LOCKS = 200;

    /**
     * The maximum number of holds and claims that are shown for a path. The same maximum applies to the requests that
     * are shown as the reason for a wait.
     */
    static final int HOLDERS = 10;

    static final int PROCESSES = 500;

    /** The query for take-overs reads at most so many of the newest moving, parked and ended renames each. */
    private static final int LATEST = 1_000;

    private static final String NO_ENTRY =
            "the journal has no entry for this request: no worker has begun the request, the id is wrong,"
                    + " or a janitor has deleted the old entry";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /**
     * The sources of the answers.
     *
     * @param pause the function that returns the pause of all workers; empty if the workers are not paused
     */
    record Sources(
            JournalSearch journal,
            Overview overview,
            ProcessStore processes,
            Namespaces namespaces,
            Supplier<Optional<Pause>> pause,
            Supplier<List<JsonNode>> deadLetters) {}

    private final Sources from;
    private final Time time;
    private final ProcessWatch watch;
    private final Activity activity;
    private final Map<Question, ProgressWatch> progress = new HashMap<>();

    Views(Sources from, Time time) {
        this.from = from;
        this.time = time;
        this.watch = new ProcessWatch(from.processes(), from.journal(), time);
        this.activity = new Activity(from.journal());
    }

    @Override
    public JsonNode read(Question question) {
        return switch (question) {
            case Question.Now now -> now();
            case Question.Activity asked -> activity.read(time.now());
            case Question.Renames renames -> renames(renames);
            case Question.Request request -> request(request);
            case Question.Locks locks -> locks(locks);
            case Question.Outcomes outcomes -> outcomes(outcomes);
            case Question.TakeOvers takeOvers -> takeOvers();
            case Question.DeadLetters letters -> deadLetters();
        };
    }

    @Override
    public void forget(Question question) {
        progress.remove(question);
    }

    private ObjectNode now() {
        ObjectNode json = MAPPER.createObjectNode();
        ObjectNode states = json.putObject("states");
        Map<State, Long> counted = from.journal().counted();
        Arrays.stream(State.values())
                .forEach(state -> states.put(OverviewJson.word(state), counted.getOrDefault(state, 0L)));
        Optional<Pause> pause = from.pause().get();
        json.put("pause", pause.map(Pause::toString).orElse(null));
        json.put("pause_since", pause.map(Pause::since).map(Instant::toString).orElse(null));
        List<ProcessSeen> seen = watch.poll();
        ArrayNode processes = json.put("processes_found", seen.size()).putArray("processes");
        seen.stream().limit(PROCESSES).map(OverviewJson::of).forEach(processes::add);
        return json;
    }

    private ObjectNode renames(Question.Renames asked) {
        ProgressWatch.Page page = progressOf(asked).read(asked.filter(), asked.after(), PAGE);
        return page(page.renames().stream().map(OverviewJson::of), page.next());
    }

    private ProgressWatch progressOf(Question asked) {
        return progress.computeIfAbsent(asked, q -> new ProgressWatch(from.overview(), time));
    }

    private ObjectNode request(Question.Request asked) {
        Optional<String> invalid = RequestIds.problem(asked.requestId());
        Optional<UnderWay> found =
                invalid.isPresent() ? Optional.empty() : progressOf(asked).readOne(asked.requestId());
        ObjectNode json = MAPPER.createObjectNode();
        json.put("missing", found.isPresent() ? null : invalid.orElse(NO_ENTRY));
        return json.set("rename", found.map(this::withHistory).orElse(null));
    }

    private ObjectNode withHistory(UnderWay found) {
        JournalEntry entry = found.rename().entry();
        boolean isTakenOver = RenameHistory.isOf(entry);
        return OverviewJson.of(found)
                .put(
                        "story",
                        isTakenOver
                                ? RenameHistory.of(
                                        entry,
                                        state(entry.decided().orElseThrow().committedBy()))
                                : null);
    }

    private ObjectNode outcomes(Question.Outcomes asked) {
        Overview.Renames page = from.overview().renames(asked.filter(), Order.NEWEST_FIRST, asked.after(), PAGE);
        return page(page.renames().stream().map(OverviewJson::of), page.next());
    }

    private static ObjectNode page(Stream<ObjectNode> renames, @Nullable LockPriority next) {
        ObjectNode json = MAPPER.createObjectNode();
        ArrayNode array =
                json.put("next", next == null ? null : Cursors.of(next)).putArray("renames");
        renames.forEach(array::add);
        return json;
    }

    private ObjectNode locks(Question.Locks asked) {
        Overview.Locks page = from.overview().locks(filter(asked), asked.after(), LOCKS, HOLDERS);
        LockSearch.At next = page.next();
        ObjectNode json = MAPPER.createObjectNode().put("next", next == null ? null : Cursors.of(next));
        ArrayNode array = json.putArray("locks");
        page.locks().forEach(locked -> array.add(locked(locked, page.locks())));
        return json;
    }

    private LockSearch.Filter filter(Question.Locks asked) {
        String namespace = asked.namespace();
        String path = asked.path();
        if (namespace == null) {
            return new LockSearch.Filter.All();
        }
        return path == null
                ? new LockSearch.Filter.In(namespace)
                : new LockSearch.Filter.Around(
                        namespace,
                        from.namespaces().require(namespace).notation().path(path));
    }

    /** Adds {@code above}, the closest path above on the page, and {@code waits_for}, which is empty for a hold. */
    private static ObjectNode locked(LockedPath locked, List<LockedPath> page) {
        ObjectNode json =
                OverviewJson.of(locked).put("above", above(locked, page)).put("holders_found", locked.found());
        for (int i = 0; i < locked.holders().size(); i++) {
            List<String> waits = locked.waitsFor(locked.holders().get(i));
            ObjectNode holder = (ObjectNode) json.path("holders").path(i);
            ArrayNode ids = holder.put("waits_for_found", waits.size()).putArray("waits_for");
            waits.stream().limit(HOLDERS).forEach(ids::add);
        }
        return json;
    }

    private static @Nullable String above(LockedPath locked, List<LockedPath> page) {
        return page.stream()
                .filter(other -> other.namespace().equals(locked.namespace()))
                .map(LockedPath::path)
                .filter(locked.path()::isBelow)
                .map(TreePath::text)
                .max(Comparator.comparing(String::length))
                .orElse(null);
    }

    private ObjectNode takeOvers() {
        ObjectNode json = MAPPER.createObjectNode();
        ArrayNode array = json.put("looked_at", LATEST).putArray("renames");
        Map<String, Optional<ProcessState>> known = new HashMap<>();
        Stream.of(Question.Renames.Phase.MOVING, Question.Renames.Phase.PARKED)
                .map(phase -> new Question.Renames(phase, null, null).filter())
                .forEach(open -> addTakeOvers(open, array, known));
        addTakeOvers(Filter.ALL.in(Question.Outcomes.ENDED), array, known);
        return json;
    }

    private void addTakeOvers(Filter filter, ArrayNode array, Map<String, Optional<ProcessState>> known) {
        for (OwnedEntry found : from.overview()
                .renames(filter, Order.NEWEST_FIRST, null, LATEST)
                .renames()) {
            if (RenameHistory.isOf(found.entry()) && array.size() < PAGE) {
                String committer = found.entry().decided().orElseThrow().committedBy();
                Optional<ProcessState> state = known.computeIfAbsent(committer, this::state);
                array.add(OverviewJson.of(found).put("story", RenameHistory.of(found.entry(), state)));
            }
        }
    }

    private Optional<ProcessState> state(String processId) {
        return from.processes()
                .read(new ProcessId(processId))
                .map(found -> found.value().state());
    }

    private ObjectNode deadLetters() {
        ObjectNode json = MAPPER.createObjectNode();
        ArrayNode array = json.putArray("letters");
        from.deadLetters().get().forEach(array::add);
        return json;
    }
}
