package org.treerename.elastic;

import co.elastic.clients.elasticsearch.core.msearch.RequestItem;
import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import com.fasterxml.jackson.databind.JsonNode;
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
import org.treerename.namespace.Namespace;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.Rename;

/**
 * Runs searches that find every write that was acknowledged before the call. A search runs after a refresh, on the node
 * that executed the refresh. A refresh is expensive. So reads of the same index at the same moment form a group. The
 * reads of a group share the refresh and the searches ({@link MergedSearch}). Any thread may call this class.
 */
final class RefreshedSearch {

    /** The maximum number of groups in progress for one index. With more groups, fewer reads would share a refresh. */
    private static final int UNDER_WAY = 1;

    /**
     * The maximum number of path ranges in the searches of a group. Each rename adds at least 2 ranges, so a group
     * contains at most 400 renames. Elasticsearch permits at least 1,024 clauses in a query.
     */
    static final int MOST_RANGES = 800;

    /** The maximum number of bytes of the answer to a group. A group with a larger answer is split into halves. */
    static final int MOST_BYTES = 24 * 1024 * 1024;

    /**
     * The results of the searches for a group of reads.
     *
     * @param at the node that executed the refresh; another node may be cut off from the cluster and show an old state
     */
    record Seen(ShardCopies.Current at, MergedSearch.Found found) {

        Elastic node() {
            return at.node();
        }
    }

    /** The results of the searches for one read, or the refusal of that read. */
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
     * @param nanos a monotonic clock in nanoseconds, with which {@link Pacing} delays the searches of a busy index
     */
    RefreshedSearch(Elastic elastic, LongSupplier nanos) {
        this.elastic = elastic;
        this.nanos = nanos;
    }

    /**
     * Returns the complete results of the searches for one read.
     *
     * @throws NoAnswerException if Elasticsearch does not answer, or returns only a part of the results
     * @throws RefusedException if Elasticsearch refuses the search permanently
     */
    Seen search(Question question) {
        return byIndex.computeIfAbsent(question.namespace().index(), this::groupsOf)
                .ask(question)
                .get();
    }

    private GroupCommit<Question, Result> groupsOf(String index) {
        return new GroupCommit<>(
                new GroupCommit.Limits<>(UNDER_WAY, MOST_RANGES, Question::ranges, true),
                nanos,
                elastic::asking,
                group -> answers(index, group));
    }

    private List<Result> answers(String index, List<Question> group) {
        ShardCopies.Current at = current(index);
        SequencedMap<Namespace, List<Question>> byNamespace = new LinkedHashMap<>();
        group.forEach(question -> byNamespace
                .computeIfAbsent(question.namespace(), n -> new ArrayList<>())
                .add(question));
        Map<Question, Result> results = new HashMap<>();
        byNamespace.forEach((namespace, questions) -> answer(at, namespace, questions, results));
        return group.stream().map(results::get).map(Objects::requireNonNull).toList();
    }

    /** Halves the reads after a refusal or a too large answer, so that only the reads that cause it are refused. */
    private static void answer(
            ShardCopies.Current at, Namespace namespace, List<Question> questions, Map<Question, Result> results) {
        try {
            Seen seen = new Seen(at, search(at, namespace, questions));
            questions.forEach(question -> results.put(question, new Result(seen, null)));
        } catch (RefusedException e) {
            answerInHalves(at, namespace, questions, results, e);
        } catch (TooLargeException e) {
            String which = questions.size() == 1 ? ids(at.node(), questions.getFirst()) : "";
            RefusedException refusal =
                    new RefusedException("cannot check a rename, because the documents at its source "
                            + which + " in " + namespace.index()
                            + " are too large to be moved by a process with this heap: "
                            + e.getMessage());
            answerInHalves(at, namespace, questions, results, refusal);
        }
    }

    private static String ids(Elastic node, Question question) {
        if (!(question instanceof Question.Around(Rename rename))) {
            return "";
        }
        SearchRequestBody search = SearchRequestBody.of(
                s -> s.query(Queries.at(rename.namespace(), rename.source())).source(source -> source.fetch(false)));
        String path = "/" + rename.namespace().index() + "/_search?allow_partial_search_results=false";
        return SearchAnswer.of(node.raw().post(path, search)).hits().stream()
                .map(hit -> hit.ref().id())
                .toList()
                .toString();
    }

    private static void answerInHalves(
            ShardCopies.Current at,
            Namespace namespace,
            List<Question> questions,
            Map<Question, Result> results,
            RefusedException refusal) {
        if (questions.size() == 1) {
            results.put(questions.getFirst(), new Result(null, refusal));
            return;
        }
        int half = questions.size() / 2;
        answer(at, namespace, questions.subList(0, half), results);
        answer(at, namespace, questions.subList(half, questions.size()), results);
    }

    private static MergedSearch.Found search(ShardCopies.Current at, Namespace namespace, List<Question> questions) {
        MergedSearch merged = new MergedSearch(namespace, questions);
        List<RequestItem> searches = merged.searches(at.node());
        Lines lines = new Lines();
        searches.forEach(lines::add);
        String index = namespace.index();
        int mostBytes = questions.size() == 1 ? HeapShare.LARGEST_ANSWER : MOST_BYTES;
        Elastic.Answer answer = at.node().raw().post("/" + index + "/_msearch", lines, mostBytes);
        if (!answer.isOk()) {
            throw new NoAnswerException("searches of " + index + " failed: " + answer.json(), null);
        }
        List<SearchAnswer> answers = SearchAnswer.ofMany(answer);
        if (answers.size() != searches.size()) {
            throw new NoAnswerException(
                    "expected " + searches.size() + " answers to searches of " + index + ", found " + answers.size(),
                    null);
        }
        MergedSearch.Found found = merged.read(answers);
        if (answers.stream().anyMatch(one -> one.isOfOtherShards(at.shards()))) {
            throw new NoAnswerException("the indices behind " + index + " have changed during a search", null);
        }
        return found;
    }

    /**
     * Refreshes every shard copy of the index, and returns the node that executed the refresh. The searches must use
     * this node, because another node may be cut off from the cluster and show an old state.
     *
     * @throws NoAnswerException if Elasticsearch does not answer, or if the node searches a shard copy that the master
     *     does not list
     */
    Elastic refreshed(String index) {
        return current(index).node();
    }

    private ShardCopies.Current current(String index) {
        Elastic.Answer refreshed = elastic.raw().post("/" + index + "/_refresh");
        AnswerStatus.requireIndex(refreshed, index);
        JsonNode shards = refreshed.json().path("_shards");
        ShardCopies.Current at = ShardCopies.requireCurrent(elastic.at(refreshed), index);
        if (shards.path("failed").asInt(-1) != 0 || shards.path("successful").asInt(-1) < at.active()) {
            throw new NoAnswerException(
                    "a refresh of " + index + " has not reached all " + at.active() + " copies: " + refreshed.json(),
                    null);
        }
        return at;
    }
}
