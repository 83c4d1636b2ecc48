package org.treerename.elastic;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.treerename.path.Namespace;
import org.treerename.path.Path;
import org.treerename.rename.Document;
import org.treerename.rename.Facts;
import org.treerename.rename.Facts.Longest;
import org.treerename.rename.Facts.Standing;
import org.treerename.rename.PathFields;
import org.treerename.rename.Rename;
import org.treerename.store.RefusedException;

/** Looks up in one look of several searches what stands around a rename. */
final class Surroundings {

    /** Documents of one path; more of them than this stand at one path only by mistake, and the passes find those. */
    private static final int MOST_OWN = 100;

    private static final int MOST_STANDING = 10_000;

    private static final String CODE_POINTS = "code_points";
    private static final String SEGMENTS = "segments";

    private final Looks looks;
    private final Rename rename;
    private final Namespace namespace;
    private final List<ObjectNode> searches = new ArrayList<>();

    Surroundings(Looks looks, Rename rename) {
        this.looks = looks;
        this.rename = rename;
        this.namespace = rename.namespace();
    }

    Facts examine() {
        List<Path> ancestors = rename.destination().properAncestors();
        own();
        standing(ancestors);
        below();
        anythingBelow(rename.destination());
        List<Path> filledAsked = namespace.directoriesAreDocuments() ? List.of() : ancestors;
        filledAsked.forEach(this::anythingBelow);

        List<SearchAnswer> answers = looks.look(namespace, searches).answers();
        Set<Path> filled = new HashSet<>();
        for (int i = 0; i < filledAsked.size(); i++) {
            if (answers.get(4 + i).total() > 0) {
                filled.add(filledAsked.get(i));
            }
        }
        return new Facts(
                standing(answers.get(1)),
                own(answers.get(0)),
                answers.get(2).total(),
                answers.get(3).total() > 0,
                filled,
                longest(answers.get(2)));
    }

    private boolean growsInLength() {
        String source = rename.source().text();
        String destination = rename.destination().text();
        return destination.codePointCount(0, destination.length()) > source.codePointCount(0, source.length());
    }

    private boolean growsInDepth() {
        return rename.destination().segments().size()
                > rename.source().segments().size();
    }

    private void own() {
        ObjectNode body = Json.object().put("size", MOST_OWN);
        Queries.versions(body, namespace);
        Queries.whole(body);
        body.set("query", Queries.at(namespace, rename.source()));
        searches.add(body);
    }

    private List<Document> own(SearchAnswer answer) {
        return answer.hits().stream()
                .map(hit -> Slice.document(namespace, rename.source(), hit))
                .toList();
    }

    private void standing(List<Path> ancestors) {
        Set<Path> paths = new TreeSet<>(ancestors);
        paths.add(rename.source());
        paths.add(rename.destination());
        ObjectNode body = Json.object().put("size", MOST_STANDING).put("track_total_hits", true);
        Queries.versions(body, namespace);
        ArrayNode fields = body.putArray("_source");
        namespace.fields().saying().forEach(fields::add);
        namespace.directoryDocuments().ifPresent(directories -> fields.add(directories.field()));
        body.set("query", Queries.atOneOf(namespace, paths));
        searches.add(body);
    }

    private List<Standing> standing(SearchAnswer answer) {
        if (answer.total() > answer.hits().size()) {
            throw new RefusedException("more than " + MOST_STANDING + " documents stand at " + rename.source() + ", "
                    + rename.destination() + " or above it; a path is for one document");
        }
        return answer.hits().stream().map(this::standing).toList();
    }

    private Standing standing(SearchAnswer.Hit hit) {
        String path = PathFields.path(namespace, hit.source())
                .orElseThrow(() ->
                        new RefusedException("the path of document " + hit.ref().id() + " is not one string"));
        boolean directory = namespace
                .directoryDocuments()
                .flatMap(d -> PathFields.text(hit.source(), d.field()).filter(d.value()::equals))
                .isPresent();
        return new Standing(hit.ref(), namespace.notation().path(path), directory);
    }

    private void below() {
        ObjectNode body = Json.object().put("size", 0).put("track_total_hits", true);
        body.set("query", Queries.below(namespace, rename.source()));
        if (growsInLength()) {
            measure(body, CODE_POINTS);
        }
        if (growsInDepth()) {
            measure(body, SEGMENTS);
        }
        searches.add(body);
    }

    /** A script runs for every document below, so what cannot break a limit is not asked for. */
    private void measure(ObjectNode body, String measure) {
        ObjectNode params = Json.object().put("measure", measure);
        namespace.fields().searched().forEach(params.putArray("fields")::add);
        params.put("separator", namespace.notation().separator())
                .put("leading", namespace.notation().leading())
                .put("quoted", namespace.notation().quoted());
        body.withObjectProperty("aggs")
                .putObject(measure)
                .putObject("max")
                .set("script", Script.LONGEST_PATH.with(params));
    }

    private static Longest longest(SearchAnswer answer) {
        return new Longest(
                answer.aggregations().path(CODE_POINTS).path("value").asInt(),
                answer.aggregations().path(SEGMENTS).path("value").asInt());
    }

    private void anythingBelow(Path path) {
        searches.add(Queries.anything(Queries.below(namespace, path)));
    }
}
