package org.treerename.producer.reader;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.Json;
import org.treerename.elastic.Queries;
import org.treerename.namespace.Fields.Holds;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.CommittedRename.Replaced;
import org.treerename.producer.reader.Region.Part;

/** Queries for the stored documents that a view of a tree consists of. */
final class RegionQueries {

    private RegionQueries() {}

    /**
     * Returns a query for the documents of a region.
     *
     * @param query a further query that the documents must match; null for none
     * @param from the least value of the first searched field; null for any value
     */
    static ObjectNode of(Namespace namespace, Region region, @Nullable JsonNode query, @Nullable String from) {
        ObjectNode search = Json.object();
        ObjectNode bool = search.putObject("bool");
        ArrayNode filter = bool.putArray("filter").add(part(namespace, region.part()));
        if (query != null) {
            filter.add(query);
        }
        if (from != null) {
            filter.addObject().putObject("range").putObject(searched(namespace)).put("gte", from);
        }
        ArrayNode not = bool.putArray("must_not");
        region.without().forEach(part -> not.add(part(namespace, part)));
        region.replacing()
                .forEach(rename -> replaced(rename.replaced()).forEach((index, ids) -> {
                    ObjectNode ofIndex = Json.object();
                    ofIndex.putObject("ids").set("values", ids);
                    not.add(Queries.all(
                            Queries.all(Queries.term("_index", index), ofIndex),
                            Queries.at(namespace, rename.destination())));
                }));
        return search;
    }

    /** Returns a query for the documents of all these regions. */
    static ObjectNode any(Namespace namespace, List<Region> regions) {
        ObjectNode search = Json.object();
        ArrayNode should =
                search.putObject("bool").put("minimum_should_match", 1).putArray("should");
        regions.forEach(region -> should.add(of(namespace, region, null, null)));
        return search;
    }

    private static JsonNode part(Namespace namespace, Part part) {
        return switch (part.reach()) {
            case EXACTLY -> Queries.at(namespace, part.path());
            case BELOW -> below(namespace, part.path());
            case AT_OR_BELOW -> Queries.any(Queries.at(namespace, part.path()), Queries.below(namespace, part.path()));
            case DIRECTLY_BELOW -> {
                if (namespace.fields().holds() != Holds.DIRECTORY) {
                    throw new IllegalArgumentException(
                            "the path field of " + namespace.name() + " does not contain the directory of a document");
                }
                yield Queries.term(searched(namespace), part.path().text());
            }
        };
    }

    /** Returns a query for the documents below a path. If documents store their whole path, a query below the root must exclude the root. */
    private static JsonNode below(Namespace namespace, TreePath path) {
        JsonNode below = Queries.below(namespace, path);
        if (!path.isRoot() || namespace.fields().holds() != Holds.PATH) {
            return below;
        }
        ObjectNode search = Json.object();
        ObjectNode bool = search.putObject("bool");
        bool.putArray("filter").add(below);
        bool.putArray("must_not").add(Queries.at(namespace, path));
        return search;
    }

    private static String searched(Namespace namespace) {
        return namespace.fields().searched().getFirst();
    }

    private static Map<String, ArrayNode> replaced(List<Replaced> replaced) {
        Map<String, ArrayNode> byIndex = new TreeMap<>();
        replaced.forEach(one -> byIndex.computeIfAbsent(one.index(), index -> Json.MAPPER.createArrayNode())
                .add(one.id()));
        return byIndex;
    }
}
