package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.overview.TreeListing;
import org.treerename.path.Fields.Holds;
import org.treerename.path.Namespace;
import org.treerename.path.Path;

/**
 * What stands directly below a path, by skipping over what is below that: the values of the field by which documents are found are
 * read in their order, and where one lies below a child the reading goes on behind all that does. So the requests are as many as the
 * children of a page that have much below them, at most, however large the tree is.
 *
 * <p>Where documents tell their directory and their name, those in the directory come first, by their names; then the directories of
 * which only something below says that they are there.
 */
public final class ElasticTreeListing implements TreeListing {

    /** Values read, and children counted, in one request. */
    private static final int TOGETHER = 100;

    /** Begins what comes after a document in the directory, and what comes after a value of the searched field. */
    private static final String BY_NAME = "n";

    private static final String BY_VALUE = "v";

    private final Elastic elastic;
    private final ElasticTreeSurvey survey;

    public ElasticTreeListing(Elastic elastic) {
        this.elastic = elastic;
        this.survey = new ElasticTreeSurvey(elastic, TOGETHER);
    }

    /** From where on values of a field are read. */
    private record Bound(String value, boolean inclusive) {}

    /**
     * A child as a value of the field has shown it.
     *
     * @param next what {@link Page#next} is where it is the last of a page
     * @param onlyBelow whether it was met by something below it
     */
    private record Met(String path, String next, boolean onlyBelow) {}

    @Override
    public Page below(Namespace namespace, Path directory, @Nullable String after, int most) {
        if (most < 1 || most > LARGEST_PAGE) {
            throw new IllegalArgumentException("a page has 1 to " + LARGEST_PAGE + " children, found " + most);
        }
        if (after == null && !survey.refreshed(namespace)) {
            return new Page(List.of(), null);
        }
        Reading reading = new Reading(namespace, directory);
        List<Child> children = new ArrayList<>();
        String next = after == null ? BY_NAME : after;
        while (next != null && children.size() < most) {
            int wanted = Math.min(TOGETHER, most - children.size());
            List<Met> together = new ArrayList<>();
            while (next != null && together.size() < wanted) {
                List<Met> met = reading.next(next, wanted - together.size());
                together.addAll(met);
                next = met.isEmpty() ? reading.afterLast(next) : met.getLast().next();
            }
            children.addAll(reading.counted(together));
        }
        return new Page(children, next);
    }

    /** The children of one directory. */
    private final class Reading {

        private final Namespace namespace;
        private final Path directory;
        private final boolean byName;
        private final String searched;
        private final int depth;

        Reading(Namespace namespace, Path directory) {
            this.namespace = namespace;
            this.directory = directory;
            this.byName = namespace.fields().holds() == Holds.DIRECTORY;
            this.searched = namespace.fields().searched().getFirst();
            this.depth = namespace.notation().depthOf(directory.text()) + 1;
        }

        /** Where what comes after the last one of a part begins; null where nothing does. */
        @Nullable
        String afterLast(String position) {
            return byName && position.startsWith(BY_NAME) ? BY_VALUE : null;
        }

        /** The next children behind a position, as many as asked for at most; none at the end of a part. */
        List<Met> next(String position, int most) {
            Bound begin = position.length() == 1 ? null : new Bound(position.substring(2), position.charAt(1) == '=');
            return byName && position.startsWith(BY_NAME) ? named(begin, most) : valued(begin, most);
        }

        /** Documents that say that this is their directory. */
        private List<Met> named(@Nullable Bound begin, int most) {
            String field = namespace.fields().searched().getLast();
            JsonNode in = Queries.term(searched, directory.text());
            List<Met> met = new ArrayList<>();
            for (String name : values(field, in, begin, most)) {
                if (met.isEmpty() || !met.getLast().next().equals(BY_NAME + ">" + name)) {
                    met.add(new Met(namespace.notation().childOf(directory.text(), name), BY_NAME + ">" + name, false));
                }
            }
            return met;
        }

        /** What the values below this directory show, without those that lie below the child before them. */
        private List<Met> valued(@Nullable Bound begin, int most) {
            String prefix = directory.prefixOfBelow();
            Bound from = begin == null ? new Bound(prefix, false) : begin;
            List<Met> met = new ArrayList<>();
            for (String value : values(searched, Queries.range(searched, prefix), from, TOGETHER)) {
                String child = namespace.notation().firstOf(value, depth);
                String below = child + namespace.notation().separator();
                boolean isKnown = !met.isEmpty() && met.getLast().path().equals(child);
                if (!isKnown && met.size() == most) {
                    break;
                }
                boolean onlyBelow = isKnown ? met.getLast().onlyBelow() : !value.equals(child);
                if (isKnown) {
                    met.removeLast();
                }
                met.add(new Met(
                        child,
                        BY_VALUE + (value.equals(child) ? ">" + child : "=" + Queries.behind(below)),
                        onlyBelow));
            }
            return met;
        }

        /** Values of a field in their order, from a bound on. */
        private List<String> values(String field, JsonNode in, @Nullable Bound begin, int most) {
            ObjectNode body =
                    Json.object().put("size", most).put("_source", false).put("track_total_hits", false);
            ArrayNode filter =
                    body.putObject("query").putObject("bool").putArray("filter").add(in);
            if (begin != null) {
                filter.addObject()
                        .putObject("range")
                        .putObject(field)
                        .put(begin.inclusive() ? "gte" : "gt", begin.value());
            }
            body.putArray("sort").addObject().put(field, "asc");
            List<String> values = new ArrayList<>();
            for (SearchAnswer.Hit hit : search(body).hits()) {
                JsonNode value = Json.read(hit.sort().bytes()).path(0);
                if (value.isTextual()) {
                    values.add(value.asText());
                }
            }
            return values;
        }

        /** Without those that were met by what is below them only, and at whose own path another reading meets them, too. */
        List<Child> counted(List<Met> met) {
            if (met.isEmpty()) {
                return List.of();
            }
            ObjectNode body = Json.object().put("size", 0).put("track_total_hits", false);
            ObjectNode filters = body.putObject("aggs")
                    .putObject("children")
                    .putObject("filters")
                    .putObject("filters");
            for (int i = 0; i < met.size(); i++) {
                String path = met.get(i).path();
                filters.set(i + " at", at(path));
                filters.set(i + " valued", Queries.term(searched, path));
                filters.set(i + " below", below(path));
            }
            body.set("query", Queries.below(namespace, directory));
            JsonNode buckets = search(body).aggregations().path("children").path("buckets");
            List<Child> children = new ArrayList<>();
            for (int i = 0; i < met.size(); i++) {
                long at = count(buckets, i + " at");
                boolean again = met.get(i).onlyBelow() && (at > 0 || count(buckets, i + " valued") > 0);
                boolean first = byName && met.get(i).next().startsWith(BY_VALUE) && at > 0;
                if (!again && !first) {
                    long below = count(buckets, i + " below");
                    children.add(new Child(met.get(i).path(), at, below, below > 0));
                }
            }
            return withDirectories(children);
        }

        private List<Child> withDirectories(List<Child> children) {
            Set<String> empty = new HashSet<>();
            children.stream()
                    .filter(child -> !child.directory())
                    .map(Child::path)
                    .filter(path -> namespace.notation().problem(path).isEmpty())
                    .forEach(empty::add);
            Set<String> directories = survey.directories(namespace, empty);
            return children.stream()
                    .map(child -> directories.contains(child.path())
                            ? new Child(child.path(), child.documents(), child.below(), true)
                            : child)
                    .toList();
        }

        private JsonNode at(String path) {
            return byName
                    ? Queries.all(
                            Queries.term(searched, directory.text()),
                            Queries.term(
                                    namespace.fields().searched().getLast(),
                                    namespace.notation().nameOf(path)))
                    : Queries.term(searched, path);
        }

        private JsonNode below(String path) {
            JsonNode range = Queries.range(searched, path + namespace.notation().separator());
            return byName ? Queries.any(Queries.term(searched, path), range) : range;
        }

        private static long count(JsonNode buckets, String name) {
            return Json.field(buckets.path(name), "doc_count").asLong();
        }

        private SearchAnswer search(ObjectNode body) {
            return SearchAnswer.of(
                    elastic.post("/" + namespace.index() + "/_search?allow_partial_search_results=false", body));
        }
    }
}
