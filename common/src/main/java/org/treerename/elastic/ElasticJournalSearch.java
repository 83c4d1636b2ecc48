package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.LockPriority;
import org.treerename.overview.JournalSearch;

/**
 * Searches the journal in the control index. Paths and outcomes are not indexed. So this class applies a filter by a
 * path or an outcome to the entries that it has read.
 */
public final class ElasticJournalSearch implements JournalSearch {

    private final ControlIndex control;

    public ElasticJournalSearch(ControlIndex control) {
        this.control = control;
    }

    @Override
    public Page find(Filter filter, Order order, @Nullable LockPriority after, int most) {
        int wanted = JournalSearch.requirePage(most);
        int size = filter.isOfContents() ? LARGEST_PAGE : wanted;
        ArrayNode sort = Json.MAPPER.createArrayNode();
        String direction = order == Order.OLDEST_FIRST ? "asc" : "desc";
        sort.addObject().put("requested_at", direction);
        sort.addObject().put("request_id", direction);
        List<JournalEntry> found = new ArrayList<>();
        LockPriority last = after;
        for (int read = 0; read < MOST_READ; read += size) {
            List<JournalEntry> page = page(filter, sort, last, size);
            for (JournalEntry entry : page) {
                last = entry.age();
                if (filter.isOf(entry)) {
                    found.add(entry);
                }
                if (found.size() == wanted) {
                    return new Page(found, last);
                }
            }
            if (page.size() < size) {
                return new Page(found, null);
            }
        }
        return new Page(found, last);
    }

    private List<JournalEntry> page(Filter filter, ArrayNode sort, @Nullable LockPriority after, int size) {
        ArrayNode position = after == null
                ? null
                : Json.MAPPER.createArrayNode().add(after.appendedAtMillis()).add(after.requestId());
        return control.next(query(filter), sort, position, size).stream()
                .map(EntryJson::read)
                .toList();
    }

    private static JsonNode query(Filter filter) {
        ObjectNode query = in(filter.states());
        ArrayNode clauses = query.withObject("/bool").withArray("/filter");
        if (filter.namespace() != null) {
            clauses.addObject().putObject("term").put("namespace", filter.namespace());
        }
        if (filter.owner() != null) {
            clauses.addObject().putObject("term").put("owner", filter.owner());
        }
        if (filter.since() != null) {
            clauses.addObject()
                    .putObject("range")
                    .putObject("requested_at")
                    .put("gte", filter.since().toString());
        }
        return query;
    }

    /** Returns a query for the entries in these states that this process can read. */
    private static ObjectNode in(Set<State> states) {
        ObjectNode query = ControlIndex.having(
                "rename",
                "state",
                states.stream()
                        .map(state -> state.name().toLowerCase(Locale.ROOT))
                        .toList());
        query.withObject("/bool")
                .withArray("/filter")
                .addObject()
                .putObject("range")
                .putObject("protocol")
                .put("lte", ControlIndex.PROTOCOL);
        return query;
    }

    @Override
    public Map<String, Long> carried(Set<State> states) {
        Map<String, Long> byOwner = new HashMap<>();
        for (JsonNode bucket : control.counted(in(states), "owner")) {
            byOwner.put(
                    Json.field(bucket, "key").asText(),
                    Json.field(bucket, "doc_count").asLong());
        }
        return byOwner;
    }

    @Override
    public Map<State, Long> counted() {
        Map<State, Long> counted = new EnumMap<>(State.class);
        for (JsonNode bucket : control.counted(in(EnumSet.allOf(State.class)), "state")) {
            counted.put(
                    State.valueOf(Json.field(bucket, "key").asText().toUpperCase(Locale.ROOT)),
                    Json.field(bucket, "doc_count").asLong());
        }
        return counted;
    }
}
