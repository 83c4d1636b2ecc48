package org.treerename.producer.reader;

import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.json.JsonData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.Queries;
import org.treerename.namespace.Fields.Holds;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.CommittedRename.Replaced;
import org.treerename.producer.reader.Region.Part;

/** Creates queries for the stored documents of a view. */
final class RegionQueries {

    private RegionQueries() {}

    /**
     * Returns a query for the documents of a region.
     *
     * @param query a further query that the documents must match; null for none
     * @param from the least value of the first searched field; null for any value
     */
    static Query of(Namespace namespace, Region region, @Nullable Query query, @Nullable String from) {
        List<Query> filter = new ArrayList<>(List.of(part(namespace, region.part())));
        if (query != null) {
            filter.add(query);
        }
        if (from != null) {
            filter.add(Queries.range(searched(namespace), range -> range.gte(JsonData.of(from))));
        }
        List<Query> not = new ArrayList<>();
        region.without().forEach(part -> not.add(part(namespace, part)));
        region.replacing()
                .forEach(rename -> replaced(rename.replaced())
                        .forEach((index, ids) -> not.add(Queries.all(
                                Queries.term("_index", index),
                                Query.of(q -> q.ids(i -> i.values(ids))),
                                Queries.at(namespace, rename.destination())))));
        return Query.of(q -> q.bool(b -> b.filter(filter).mustNot(not)));
    }

    /** Returns a query for the documents of all given regions. */
    static Query any(Namespace namespace, List<Region> regions) {
        return Queries.any(regions.stream()
                .map(region -> of(namespace, region, null, null))
                .toArray(Query[]::new));
    }

    private static Query part(Namespace namespace, Part part) {
        return switch (part.reach()) {
            case EXACTLY -> Queries.at(namespace, part.path());
            case BELOW -> below(namespace, part.path());
            case AT_OR_BELOW -> Queries.any(Queries.at(namespace, part.path()), Queries.below(namespace, part.path()));
            case DIRECTLY_BELOW -> {
                if (namespace.fields().holds() != Holds.DIRECTORY) {
                    throw new IllegalArgumentException(
                            "expected a namespace whose path field contains the directory of a document, found "
                                    + namespace.name());
                }
                yield Queries.term(searched(namespace), part.path().text());
            }
        };
    }

    /** If the path field contains the whole path, a document at the root seems to be below the root. */
    private static Query below(Namespace namespace, TreePath path) {
        Query below = Queries.below(namespace, path);
        return path.isRoot() && namespace.fields().holds() == Holds.PATH
                ? Queries.all(below, Queries.none(Queries.at(namespace, path)))
                : below;
    }

    private static String searched(Namespace namespace) {
        return namespace.fields().searched().getFirst();
    }

    private static Map<String, List<String>> replaced(List<Replaced> replaced) {
        Map<String, List<String>> byIndex = new TreeMap<>();
        replaced.forEach(one ->
                byIndex.computeIfAbsent(one.index(), index -> new ArrayList<>()).add(one.id()));
        return byIndex;
    }
}
