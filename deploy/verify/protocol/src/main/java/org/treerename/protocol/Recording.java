package org.treerename.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.treerename.steps.Step;

/**
 * The calls that the processes of a run made to the stores. A {@link Step} is one call with its answer. The calls of
 * one process are in their real order. The order of calls of different processes is not recorded. TLC searches for an
 * order in which the model {@code Attempts} allows each call with its recorded answer ({@code Replay.tla}).
 */
public final class Recording {

    /**
     * One rename of the run.
     *
     * @param documents the number of documents at or below the source of the rename when the run begins
     * @param ownDocuments the number of documents at the source itself
     */
    public record Renamed(String requestId, int documents, int ownDocuments) {}

    private static final String REPLAY = "Replay";
    private static final String NAME = "Recorded";
    private static final String NO_HOLD = "<<0, 0>>";

    private final List<Renamed> renames;
    private final Map<String, List<Step>> steps = new LinkedHashMap<>();
    private final Set<String> killed = new HashSet<>();
    private final Map<String, String> holds = new HashMap<>();

    /** @param renames the renames of the run, the oldest first */
    public Recording(List<Renamed> renames) {
        this.renames = List.copyOf(renames);
    }

    /** Adds the steps of one process. */
    public void add(String processId, List<Step> ofProcess) {
        steps.put(processId, List.copyOf(ofProcess));
    }

    /** Records that a process was killed. The last call of this process is not recorded, but may have had an effect. */
    public void killed(String processId) {
        killed.add(processId);
    }

    /**
     * Returns whether the model allows the recording. The recording must have at most about ten documents and a hundred
     * steps.
     */
    public boolean isAllowed(ModelChecker checker, String name) {
        return allowed(checker, Map.of(name, this)).contains(name);
    }

    /**
     * Returns the names of the recordings that the model allows. TLC replays all recordings in one JVM.
     *
     * @param recordings the recordings by their names
     */
    public static Set<String> allowed(ModelChecker checker, Map<String, Recording> recordings) {
        Map<String, Configuration> configurations = new LinkedHashMap<>();
        Map<Configuration, Map<String, String>> modules = new LinkedHashMap<>();
        recordings.forEach((name, recording) -> {
            Configuration configuration = recording.configuration(name);
            configurations.put(name, configuration);
            modules.put(
                    configuration, Map.of(REPLAY, Configuration.resource(REPLAY + ".tla"), NAME, recording.module()));
        });
        Map<Configuration, Verdict> verdicts = checker.checkInOneJvm(modules);
        return recordings.keySet().stream()
                .filter(name -> verdicts.get(configurations.get(name)) instanceof Verdict.Breaks breaks
                        && breaks.property().equals("NotReplayed"))
                .collect(Collectors.toSet());
    }

    /**
     * No step records which documents it read or moved. So the documents below one source are interchangeable, and TLC
     * checks only one order of them.
     */
    private Configuration configuration(String name) {
        String values = documents()
                .map(document -> "CONSTANT " + document + " = " + document + "\n")
                .collect(Collectors.joining());
        String symmetry = interchangeable().isEmpty() ? "" : "SYMMETRY " + NAME + "Interchangeable\n";
        return new Configuration(NAME + "-" + name, Configuration.resource(REPLAY + ".cfg") + values + symmetry);
    }

    private static boolean isJanitor(String processId) {
        return processId.startsWith("janitor");
    }

    private static String quoted(String word) {
        return '"' + word + '"';
    }

    private String module() {
        steps.values().stream()
                .flatMap(List::stream)
                .filter(step -> step.call().equals("prepare"))
                .forEach(step -> hold(number(step.request()), step.hold()));
        List<String> traces = new ArrayList<>();
        steps.forEach((id, ofProcess) ->
                traces.add("(" + quoted(id) + " :> <<\n  " + String.join(",\n  ", calls(ofProcess)) + ">>)"));
        return "---- MODULE " + NAME + " ----\nEXTENDS Replay\n"
                + documents().map(document -> "CONSTANT " + document + "\n").collect(Collectors.joining())
                + defined(
                        "Workers",
                        set(steps.keySet().stream().filter(id -> !isJanitor(id)).map(Recording::quoted)))
                + defined(
                        "Janitors",
                        set(steps.keySet().stream().filter(Recording::isJanitor).map(Recording::quoted)))
                + defined("Died", set(killed.stream().map(Recording::quoted)))
                + defined("Requests", "1.." + renames.size())
                + defined("LockSet", "<<" + lockSets() + ">>")
                + defined(
                        "Documents", sequence(renames.stream().map(rename -> documents(rename, 0, rename.documents()))))
                + defined(
                        "OwnDocuments",
                        sequence(renames.stream().map(rename -> documents(rename, 0, rename.ownDocuments()))))
                + interchangeable()
                + defined("Trace", String.join(" @@\n", traces))
                + "====\n";
    }

    private static String defined(String name, String value) {
        return NAME + name + " == " + value + "\n";
    }

    private int number(String requestId) {
        for (int i = 0; i < renames.size(); i++) {
            if (renames.get(i).requestId().equals(requestId)) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException(
                "expected the id of a recorded request in each step, found \"" + requestId + "\"");
    }

    private String lockSets() {
        return renames.stream()
                .map(rename -> steps.values().stream()
                        .flatMap(List::stream)
                        .filter(step -> step.call().equals("prepare"))
                        .filter(step -> step.request().equals(rename.requestId()))
                        .findFirst()
                        .map(step -> "<<" + locks(step.locks()) + ">>")
                        .orElseThrow(() -> new IllegalArgumentException(
                                "expected an attempt of request " + rename.requestId() + ", found none")))
                .collect(Collectors.joining(", "));
    }

    /** In a bulk request, one item contains all locks of an attempt in one table. */
    private static String locks(String inOrder) {
        Map<String, List<String>> parts = new LinkedHashMap<>();
        inOrder.lines()
                .map(lock -> lock.split(" ", 2))
                .forEach(lock -> parts.computeIfAbsent(firstSegment(lock[1]), first -> new ArrayList<>())
                        .add("<<" + quoted(lock[1]) + ", " + quoted(lock[0].toLowerCase(Locale.ROOT)) + ">>"));
        return parts.entrySet().stream()
                .map(part -> "<<" + quoted(part.getKey()) + ", {" + String.join(", ", part.getValue()) + "}>>")
                .collect(Collectors.joining(", "));
    }

    /** In the model, each first segment has its own lock table. In the services, several first segments share one. */
    private static String firstSegment(String path) {
        int end = path.indexOf('/', 1);
        return end < 0 ? path : path.substring(0, end);
    }

    private Stream<String> documents() {
        return renames.stream().flatMap(rename -> documents(rename, 0, rename.documents()));
    }

    private Stream<String> documents(Renamed rename, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "document_" + number(rename.requestId()) + "_" + i);
    }

    private static String sequence(Stream<Stream<String>> sets) {
        return sets.map(Recording::set).collect(Collectors.joining(", ", "<<", ">>"));
    }

    private static String set(Stream<String> elements) {
        return elements.collect(Collectors.joining(", ", "{", "}"));
    }

    private String interchangeable() {
        String permutations = renames.stream()
                .filter(rename -> rename.documents() - rename.ownDocuments() > 1)
                .map(rename ->
                        "Permutations(" + set(documents(rename, rename.ownDocuments(), rename.documents())) + ")")
                .collect(Collectors.joining(" \\cup "));
        return permutations.isEmpty() ? "" : defined("Interchangeable", permutations);
    }

    private List<String> calls(List<Step> ofProcess) {
        List<String> calls = new ArrayList<>();
        int request = 0;
        for (Step step : ofProcess) {
            if (!step.request().isEmpty()) {
                request = number(step.request());
            }
            String hold = hold(request, step.hold());
            calls.add(
                    "[call |-> %s, request |-> %d, state |-> %s, process |-> %s, epoch |-> %d, hold |-> %s, claim |-> %d, answer |-> %s, number |-> %d]"
                            .formatted(
                                    quoted(step.call()),
                                    request,
                                    quoted(state(step.state())),
                                    quoted(step.process()),
                                    step.epoch(),
                                    hold,
                                    step.claim() ? request : 0,
                                    quoted(step.answer().name().toLowerCase(Locale.ROOT)),
                                    step.number()));
        }
        return calls;
    }

    /** The model has one final state for all renames that moved no document. */
    private static String state(String state) {
        return state.equals("REJECTED") || state.equals("CANCELLED") ? "FAILED" : state;
    }

    private String hold(int request, String holdId) {
        return holdId.isEmpty()
                ? NO_HOLD
                : holds.computeIfAbsent(holdId, id -> "<<%d, %d>>".formatted(request, holds.size() + 1));
    }
}
