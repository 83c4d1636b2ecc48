package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Namespace;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Searches that see all that was acknowledged before they were asked for: after a refresh, at the node that has done it. Questions
 * to the same index at the same moment share the refresh, which costs much, and the searches ({@link MergedSearch}). Any thread may call it.
 */
final class RefreshedSearch {

    /** With more, fewer questions would share a refresh. */
    private static final int UNDER_WAY = 1;

    /** 400 renames. Elasticsearch's lowest limit of the clauses of a query is 1,024. */
    static final int MOST_RANGES = 800;

    /** Of one answer, with the whole documents at the sources. Questions whose answer is larger are asked in halves. */
    static final int MOST_BYTES = 24 * 1024 * 1024;

    /**
     * What searches saw.
     *
     * @param node that has refreshed; another one may be cut off, and see what was
     */
    record Seen(Elastic node, MergedSearch.Found found) {}

    /** The answer to one question: what was seen, or why it was refused. */
    private record Result(@Nullable Seen seen, @Nullable RefusedException refusal) {
        Seen get() {
            if (refusal != null) {
                throw refusal;
            }
            return Objects.requireNonNull(seen);
        }
    }

    private final Elastic elastic;
    private final LongSupplier nanos;
    private final Map<String, GroupCommit<Question, Result>> byIndex = new ConcurrentHashMap<>();

    /**
     * Creates looks.
     *
     * @param nanos a monotonic clock, by which the looks of a busy index are paced
     */
    RefreshedSearch(Elastic elastic, LongSupplier nanos) {
        this.elastic = elastic;
        this.nanos = nanos;
    }

    /**
     * Returns the complete answer to a question.
     *
     * @throws NoAnswerException if there is none
     * @throws RefusedException if there can be none
     */
    Seen look(Question question) {
        return byIndex.computeIfAbsent(question.namespace().index(), this::groupsOf)
                .ask(question)
                .get();
    }

    private GroupCommit<Question, Result> groupsOf(String index) {
        return new GroupCommit<>(
                new GroupCommit.Limits<>(UNDER_WAY, MOST_RANGES, Question::ranges, true),
                nanos,
                elastic::asking,
                group -> look(index, group));
    }

    private List<Result> look(String index, List<Question> group) {
        Elastic node = refreshed(index);
        SequencedMap<Namespace, List<Question>> byNamespace = new LinkedHashMap<>();
        group.forEach(question -> byNamespace
                .computeIfAbsent(question.namespace(), n -> new ArrayList<>())
                .add(question));
        Map<Question, Result> results = new HashMap<>();
        byNamespace.forEach((namespace, questions) -> look(node, namespace, questions, results));
        return group.stream().map(results::get).map(Objects::requireNonNull).toList();
    }

    /** A refusal concerns one of the questions, so that the others are asked without it: no rename pays for another one's mistake. */
    private static void look(
            Elastic node, Namespace namespace, List<Question> questions, Map<Question, Result> results) {
        try {
            Seen seen = new Seen(node, search(node, namespace, questions));
            questions.forEach(question -> results.put(question, new Result(seen, null)));
        } catch (RefusedException e) {
            lookInHalves(node, namespace, questions, results, e);
        } catch (TooLargeException e) {
            RefusedException refusal = new RefusedException("the documents around one rename in " + namespace.index()
                    + " are too large to be read: " + e.getMessage());
            lookInHalves(node, namespace, questions, results, refusal);
        }
    }

    private static void lookInHalves(
            Elastic node,
            Namespace namespace,
            List<Question> questions,
            Map<Question, Result> results,
            RefusedException refusal) {
        if (questions.size() == 1) {
            results.put(questions.getFirst(), new Result(null, refusal));
            return;
        }
        int half = questions.size() / 2;
        look(node, namespace, questions.subList(0, half), results);
        look(node, namespace, questions.subList(half, questions.size()), results);
    }

    private static MergedSearch.Found search(Elastic node, Namespace namespace, List<Question> questions) {
        MergedSearch look = new MergedSearch(namespace, questions);
        List<ObjectNode> searches = look.searches();
        byte[] header = Json.bytes(
                Json.object().put("allow_partial_search_results", false).put("request_cache", false));
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (JsonNode search : searches) {
            lines.writeBytes(header);
            lines.write('\n');
            lines.writeBytes(Json.bytes(search));
            lines.write('\n');
        }
        String index = namespace.index();
        Elastic.Answer answer = node.postLinesFor(MOST_BYTES, "/" + index + "/_msearch", lines.toByteArray());
        if (!answer.isOk()) {
            throw new NoAnswerException("searches of " + index + " answered " + answer.json(), null);
        }
        List<SearchAnswer> answers = SearchAnswer.ofMany(answer);
        if (answers.size() != searches.size()) {
            throw new NoAnswerException(
                    searches.size() + " searches of " + index + " got " + answers.size() + " answers", null);
        }
        return look.read(answers);
    }

    /**
     * Refreshes every copy, and returns the node that did it, if that node searches no other copies. Another node may be cut off
     * and read an old state.
     */
    Elastic refreshed(String index) {
        Elastic.Answer answer = elastic.post("/" + index + "/_refresh");
        if (answer.status() == 404) {
            throw new RefusedException("there is no index or alias " + index);
        }
        if (!answer.isOk() || answer.json().path("_shards").path("failed").asInt(-1) != 0) {
            throw new NoAnswerException("the refresh of " + index + " answered " + answer.json(), null);
        }
        Elastic node = elastic.at(answer);
        ShardCopies.requireCurrent(node, index);
        return node;
    }
}
