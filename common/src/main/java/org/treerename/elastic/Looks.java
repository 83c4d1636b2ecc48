package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.treerename.path.Namespace;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Searches that see all that was acknowledged before they were asked for: after a refresh, at the node that has done it. Those
 * who ask for the same index at the same moment share the refresh, which costs much, and the request. Any thread may call it.
 */
final class Looks {

    /** While one of them refreshes, the other one searches. */
    private static final int UNDER_WAY = 2;

    private static final int SEARCHES = 500;

    /**
     * What searches saw.
     *
     * @param node that has refreshed; another one may be cut off, and see what was
     */
    record Seen(Elastic node, List<SearchAnswer> answers) {}

    private final Elastic elastic;
    private final Map<String, Groups<List<ObjectNode>, Seen>> byIndex = new ConcurrentHashMap<>();

    Looks(Elastic elastic) {
        this.elastic = elastic;
    }

    /**
     * The answers to searches of a namespace's documents, each of them complete.
     *
     * @throws NoAnswerException if one of them is not
     */
    Seen look(Namespace namespace, List<ObjectNode> searches) {
        Seen seen = byIndex.computeIfAbsent(namespace.index(), this::groupsOf).ask(searches);
        seen.answers().forEach(SearchAnswer::complete);
        return seen;
    }

    private Groups<List<ObjectNode>, Seen> groupsOf(String index) {
        return new Groups<>(
                new Groups.Limits<>(UNDER_WAY, SEARCHES, List::size), elastic::asking, group -> search(index, group));
    }

    private List<Seen> search(String index, List<List<ObjectNode>> group) {
        Elastic node = refreshed(index);
        byte[] header = Json.bytes(Json.object().put("allow_partial_search_results", false));
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (List<ObjectNode> searches : group) {
            for (JsonNode search : searches) {
                lines.writeBytes(header);
                lines.write('\n');
                lines.writeBytes(Json.bytes(search));
                lines.write('\n');
            }
        }
        Elastic.Answer answer = node.postLines("/" + index + "/_msearch", lines.toByteArray());
        if (!answer.isOk()) {
            throw new NoAnswerException("searches of " + index + " answered " + answer.json(), null);
        }
        List<SearchAnswer> answers = SearchAnswer.ofMany(answer);
        int asked = group.stream().mapToInt(List::size).sum();
        if (answers.size() != asked) {
            throw new NoAnswerException(asked + " searches of " + index + " got " + answers.size() + " answers", null);
        }
        List<Seen> seen = new ArrayList<>();
        int next = 0;
        for (List<ObjectNode> searches : group) {
            seen.add(new Seen(node, answers.subList(next, next + searches.size())));
            next += searches.size();
        }
        return seen;
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
        Copies.requireCurrent(node, index);
        return node;
    }
}
