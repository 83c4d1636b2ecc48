package org.treerename.elastic;

import co.elastic.clients.elasticsearch.core.msearch.RequestItem;
import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.treerename.elastic.SubtreeSizes.Extended;
import org.treerename.elastic.SubtreeSizes.Extent;
import org.treerename.elastic.SubtreeSizes.Measure;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.RefusedException;
import org.treerename.tree.Document;
import org.treerename.tree.PathFields;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeSnapshot.Existing;
import org.treerename.tree.TreeSnapshot.Longest;

/**
 * Merges several reads of one tree into a few searches. A read examines the tree for one rename, or counts documents.
 * The first search finds the documents at the sources of the renames, with their contents. The second search finds the
 * documents at and above the destinations, without their contents. The third search counts the documents below the
 * sources and the destinations, and the documents of the reads that only count. If all reads only count, the other
 * searches are not sent. One further search for each rename that makes paths longer measures the paths below its source.
 */
final class MergedSearch {

    /** The results of the searches. Each read takes its snapshot or its count from these results. */
    record Found(
            Namespace namespace,
            Map<String, List<SearchAnswer.Hit>> atSources,
            Map<String, List<SearchAnswer.Hit>> around,
            Map<Extent, Extended> extents,
            Map<TreePath, Map<Measure, Integer>> longest) {

        long count(Question.Count question) {
            return extent(new Extent.Reached(question.path(), question.reach())).documents();
        }

        TreeSnapshot snapshot(Rename rename) {
            List<SearchAnswer.Hit> own = hits(atSources, rename.source());
            List<Existing> existing = new ArrayList<>(
                    own.stream().map(hit -> existing(hit, rename.source())).toList());
            for (TreePath path : pathsAround(rename)) {
                hits(around, path).forEach(hit -> existing.add(existing(hit, path)));
            }
            Extended below = below(rename.source());
            Map<Measure, Integer> longestBelow = longest.getOrDefault(rename.source(), Map.of());
            Set<Measure> growing = growing(rename);
            return new TreeSnapshot(
                    existing,
                    own.stream()
                            .map(hit -> new Document(hit.ref(), rename.source().text(), hit.source()))
                            .toList(),
                    below.documents(),
                    below(rename.destination()).documents() > 0,
                    new Longest(
                            growing.contains(Measure.CODE_POINTS)
                                    ? longestBelow.getOrDefault(Measure.CODE_POINTS, 0)
                                    : 0,
                            growing.contains(Measure.SEGMENTS) ? longestBelow.getOrDefault(Measure.SEGMENTS, 0) : 0));
        }

        /** Returns whether each document below the source has exactly one value in each field that contains its path. */
        boolean hasOnePathEach(Rename rename) {
            Extended below = below(rename.source());
            return below.values()
                    == below.documents() * namespace.fields().searched().size();
        }

        private Existing existing(SearchAnswer.Hit hit, TreePath path) {
            boolean directory = namespace
                    .directoryDocuments()
                    .flatMap(d -> PathFields.text(hit.source(), d.field()).filter(d.value()::equals))
                    .isPresent();
            return new Existing(hit.ref(), path, directory);
        }

        private Extended below(TreePath path) {
            return extent(new Extent.Below(path));
        }

        private Extended extent(Extent extent) {
            Extended extended = extents.get(extent);
            if (extended == null) {
                throw new IllegalStateException("the search did not include " + extent);
            }
            return extended;
        }

        private static List<SearchAnswer.Hit> hits(Map<String, List<SearchAnswer.Hit>> byPath, TreePath path) {
            List<SearchAnswer.Hit> hits = byPath.get(path.text());
            if (hits == null) {
                throw new IllegalStateException("the search did not include " + path);
            }
            return hits;
        }
    }

    private final Namespace namespace;
    private final boolean hasRenames;
    private final PathSearch atSources;
    private final PathSearch around;
    private final SubtreeSizes extents;

    /**
     * Merges these reads.
     *
     * @param questions the reads, which all belong to this namespace
     */
    MergedSearch(Namespace namespace, List<Question> questions) {
        this.namespace = namespace;
        this.hasRenames = questions.stream().anyMatch(Question.Around.class::isInstance);
        this.atSources = new PathSearch(namespace, true);
        this.around = new PathSearch(namespace, false);
        this.extents = new SubtreeSizes(namespace);
        questions.forEach(this::add);
    }

    private void add(Question question) {
        switch (question) {
            case Question.Count(Namespace of, TreePath path, var reach) -> extents.add(new Extent.Reached(path, reach));
            case Question.Around(Rename rename) -> {
                atSources.add(rename.source());
                pathsAround(rename).forEach(around::add);
                extents.examine(rename.source(), growing(rename));
                extents.add(new Extent.Below(rename.destination()));
            }
        }
    }

    private static List<TreePath> pathsAround(Rename rename) {
        List<TreePath> paths = new ArrayList<>(rename.destination().properAncestors());
        paths.add(rename.destination());
        paths.removeIf(rename.source()::equals);
        return paths;
    }

    /** The rename can exceed a limit only in these measures. */
    private static Set<Measure> growing(Rename rename) {
        Set<Measure> growing = EnumSet.noneOf(Measure.class);
        if (codePoints(rename.destination()) > codePoints(rename.source())) {
            growing.add(Measure.CODE_POINTS);
        }
        if (rename.destination().segments().size() > rename.source().segments().size()) {
            growing.add(Measure.SEGMENTS);
        }
        return growing;
    }

    private static int codePoints(TreePath path) {
        return path.text().codePointCount(0, path.text().length());
    }

    /** Returns the searches that {@code elastic} will send. */
    List<RequestItem> searches(Elastic elastic) {
        List<RequestItem> searches = new ArrayList<>();
        if (hasRenames) {
            searches.add(item(atSources.search(elastic), false));
            searches.add(item(around.search(elastic), false));
        }
        searches.add(item(extents.counts(), false));
        extents.measures().forEach(search -> searches.add(item(search, true)));
        return searches;
    }

    private static RequestItem item(SearchRequestBody body, boolean mayBePartial) {
        return RequestItem.of(item -> item.header(
                        header -> header.allowPartialSearchResults(mayBePartial).requestCache(false))
                .body(body));
    }

    /**
     * Reads the answers to the {@link #searches}. The answers must be in the order of the searches.
     *
     * @throws RefusedException if one of the reads has no result; a search without that read may succeed
     */
    Found read(List<SearchAnswer> answers) {
        int counts = hasRenames ? 2 : 0;
        answers.subList(0, counts + 1).forEach(SearchAnswer::complete);
        return new Found(
                namespace,
                hasRenames ? atSources.read(answers.get(0)) : Map.of(),
                hasRenames ? around.read(answers.get(1)) : Map.of(),
                extents.read(answers.get(counts)),
                extents.longest(answers.subList(counts + 1, answers.size())));
    }
}
