package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.SortOptions;
import co.elastic.clients.elasticsearch._types.SortOrder;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.json.JsonData;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
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
 * Searches the journal in the control index. Paths and outcomes are not indexed. So this class first reads the entries,
 * and then filters them by path or by outcome.
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
        List<SortOptions> sort = ElasticJournal.byAge(order == Order.OLDEST_FIRST ? SortOrder.Asc : SortOrder.Desc);
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

    private List<JournalEntry> page(Filter filter, List<SortOptions> sort, @Nullable LockPriority after, int size) {
        return control.search().next(query(filter), sort, ElasticJournal.position(after), size).stream()
                .map(found -> EntryJson.read(found.value()))
                .toList();
    }

    private static Query query(Filter filter) {
        List<Query> clauses = new ArrayList<>(List.of(in(filter.states())));
        if (filter.namespace() != null) {
            clauses.add(Queries.term("namespace", filter.namespace()));
        }
        if (filter.owner() != null) {
            clauses.add(Queries.term("owner", filter.owner()));
        }
        if (filter.since() != null) {
            JsonData since = JsonData.of(filter.since().toString());
            clauses.add(Queries.range("requested_at", range -> range.gte(since)));
        }
        return Queries.all(clauses.toArray(Query[]::new));
    }

    private static Query in(Set<State> states) {
        return Queries.all(ElasticJournal.in(states.stream()), ControlSearch.READABLE);
    }

    @Override
    public List<JournalEntry> endedSince(Instant since, int most) {
        JsonData time = JsonData.of(since.toString());
        Query query = Queries.all(
                Queries.term("kind", "rename"),
                ControlSearch.READABLE,
                Queries.range("finished_at", range -> range.gte(time)));
        return control.search().first(query, "finished_at", SortOrder.Desc, JournalSearch.requirePage(most)).stream()
                .map(found -> EntryJson.read(found.value()))
                .toList();
    }

    @Override
    public Map<String, Long> countByOwner(Set<State> states) {
        return control.search().counted(in(states), "owner");
    }

    @Override
    public Map<State, Long> counted() {
        Map<State, Long> counted = new EnumMap<>(State.class);
        control.search()
                .counted(in(EnumSet.allOf(State.class)), "state")
                .forEach((state, count) -> counted.put(State.valueOf(state.toUpperCase(Locale.ROOT)), count));
        return counted;
    }
}
