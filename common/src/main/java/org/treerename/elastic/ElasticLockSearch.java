package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockDocument;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.LockSearch;
import org.treerename.path.Path;

/** The lock documents in the control index, looked through. */
public final class ElasticLockSearch implements LockSearch {

    private final ControlIndex control;

    public ElasticLockSearch(ControlIndex control) {
        this.control = control;
    }

    @Override
    public Page find(Filter filter, @Nullable At after, int most) {
        int size = JournalSearch.requirePage(most);
        ArrayNode sort = Json.MAPPER.createArrayNode().add("namespace").add("path");
        ArrayNode position = after == null
                ? null
                : Json.MAPPER.createArrayNode().add(after.namespace()).add(after.path());
        List<LockDocument> locks = control.next(query(filter), sort, position, size).stream()
                .map(LockJson::read)
                .toList();
        LockDocument last = locks.size() < size ? null : locks.getLast();
        return new Page(
                locks,
                last == null ? null : new At(last.namespace(), last.path().text()));
    }

    private static JsonNode query(Filter filter) {
        ObjectNode query = Json.object();
        ObjectNode bool = query.putObject("bool");
        ArrayNode clauses = bool.putArray("filter");
        clauses.addObject().putObject("term").put("kind", "lock");
        switch (filter) {
            case Filter.All all -> {}
            case Filter.In(String namespace) ->
                clauses.addObject().putObject("term").put("namespace", namespace);
            case Filter.Around(String namespace, Path path) -> {
                clauses.addObject().putObject("term").put("namespace", namespace);
                ArrayNode either = bool.put("minimum_should_match", 1).putArray("should");
                ArrayNode at = either.addObject().putObject("terms").putArray("path");
                at.add(path.notation().root().text()).add(path.text());
                path.properAncestors().forEach(above -> at.add(above.text()));
                either.add(Queries.range("path", path.prefixOfBelow()));
            }
        }
        return query;
    }
}
