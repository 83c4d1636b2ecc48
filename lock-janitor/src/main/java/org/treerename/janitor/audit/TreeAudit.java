package org.treerename.janitor.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.journal.Journal;
import org.treerename.journal.State;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.request.ParsedRequest;
import org.treerename.tree.Document;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeSurvey;
import org.treerename.tree.TreeSurvey.At;
import org.treerename.tree.TreeSurvey.Pathless;

/**
 * Searches trees for documents in an invalid state. Two documents with the same path are invalid. If directories are
 * documents, a document without a parent directory is invalid as well. The audit also reports a document if no request
 * can name its path, or if the fields that are computed from its path do not agree with this path. The audit ignores
 * documents at or below the source or the destination of a decided rename, because these documents may be moving.
 *
 * <p>The audit changes nothing, and its memory use does not grow with the tree. The audit reads every path. If the
 * namespace has other fields that are computed from the path, the audit reads every document as well.
 */
public final class TreeAudit {

    /**
     * The maximum number of findings about the paths of one tree. The same maximum applies to the findings about the
     * path fields of one tree.
     */
    static final int MOST_REPORTED = 1_000;

    /** The states of renames whose documents may be moving. The documents of an undecided rename do not move. */
    private static final Set<State> DECIDED = Set.of(State.MOVING, State.PARKED, State.DONE);

    private final TreeSurvey survey;
    private final Supplier<Stream<ParsedRequest.RenameRequest>> open;
    private final List<Namespace> namespaces;

    /** @param namespaces the namespaces whose trees are checked */
    public TreeAudit(TreeSurvey survey, Journal journal, List<Namespace> namespaces) {
        this(survey, () -> open(journal), namespaces);
    }

    private TreeAudit(
            TreeSurvey survey, Supplier<Stream<ParsedRequest.RenameRequest>> open, List<Namespace> namespaces) {
        this.survey = survey;
        this.open = open;
        this.namespaces = List.copyOf(namespaces);
    }

    /** Creates an audit of trees for which there is no journal yet. */
    public static TreeAudit ofUnused(TreeSurvey survey, List<Namespace> namespaces) {
        return new TreeAudit(survey, Stream::empty, namespaces);
    }

    /** A finding and the path at which it was found. */
    private record Found(String path, Finding finding) {}

    /**
     * Checks all trees once.
     *
     * @throws org.treerename.store.NoAnswerException if a read is not complete
     */
    public List<Finding> poll() {
        return namespaces.stream()
                .flatMap(namespace -> check(namespace).stream())
                .toList();
    }

    private List<Finding> check(Namespace namespace) {
        List<TreePath> before = pathsOfDecided(namespace);
        PathPages paths = new PathPages(namespace);
        List<Finding> findings = new ArrayList<>(first(namespace, before, paths::next));
        if (namespace.computedFields().size() > 1) {
            try (Scan scan = survey.pathFields(namespace)) {
                findings.addAll(first(namespace, before, () -> fields(namespace, scan.nextPage())));
            }
        }
        pathless(namespace).ifPresent(findings::add);
        return findings;
    }

    /** Reads the paths page by page. */
    private final class PathPages {
        private final Namespace namespace;
        private @Nullable String last;

        PathPages(Namespace namespace) {
            this.namespace = namespace;
        }

        Optional<List<Found>> next() {
            List<At> page = survey.paths(namespace, last);
            if (page.isEmpty()) {
                return Optional.empty();
            }
            last = page.getLast().path();
            return Optional.of(check(namespace, page));
        }
    }

    /** @param before the sources and destinations of the renames that were decided before the first read */
    private List<Finding> first(Namespace namespace, List<TreePath> before, Supplier<Optional<List<Found>>> pages) {
        List<Found> found = new ArrayList<>();
        while (found.size() <= MOST_REPORTED) {
            Optional<List<Found>> page = pages.get();
            if (page.isEmpty()) {
                break;
            }
            page.get().stream()
                    .filter(candidate -> !isAtOrBelow(candidate.path(), before))
                    .forEach(found::add);
        }
        // a rename may have been decided during the reads
        List<TreePath> after = found.isEmpty() ? List.of() : pathsOfDecided(namespace);
        List<Finding> findings = new ArrayList<>(found.stream()
                .filter(candidate -> !isAtOrBelow(candidate.path(), after))
                .limit(MOST_REPORTED)
                .map(Found::finding)
                .toList());
        if (found.size() > MOST_REPORTED) {
            findings.add(new Finding(
                    found.getLast().finding().kind(),
                    "more than " + MOST_REPORTED + " findings in " + namespace.name() + "; the rest is not reported"));
        }
        return findings;
    }

    private static Optional<List<Found>> fields(Namespace namespace, List<Document> page) {
        if (page.isEmpty()) {
            return Optional.empty();
        }
        List<Found> found = new ArrayList<>();
        for (Document document : page) {
            String id =
                    "document " + document.ref().id() + " of " + document.ref().index() + " in " + namespace.name();
            switch (FieldCheck.of(namespace, document)) {
                case FieldCheck.Agrees agrees -> {}
                case FieldCheck.Differs(String path, List<String> fields) ->
                    found.add(new Found(
                            path,
                            new Finding(
                                    Kind.FIELDS_DISAGREE,
                                    id + " does not agree with its path " + path + " (fields: "
                                            + String.join(", ", fields)
                                            + "); the next rename of the document corrects these fields")));
                case FieldCheck.Unwritable(String path, List<String> fields) ->
                    found.add(new Found(
                            path,
                            new Finding(
                                    Kind.FIELDS_UNWRITABLE,
                                    id + " has fields that no rename can write: " + String.join(", ", fields)
                                            + ". A rename of the document is rejected until each field has one text of the"
                                            + " JSON type that the namespace defines, and the name no separator")));
            }
        }
        return Optional.of(found);
    }

    private Optional<Finding> pathless(Namespace namespace) {
        Pathless pathless = survey.pathless(namespace);
        return pathless.documents() == 0
                ? Optional.empty()
                : Optional.of(new Finding(
                        Kind.NO_PATH,
                        "documents in " + namespace.name() + " without a path field: " + pathless.documents()
                                + ". No rename moves these documents. The first ids: "
                                + String.join(", ", pathless.ids()),
                        namespace.name()));
    }

    private List<Found> check(Namespace namespace, List<At> page) {
        List<Found> found = new ArrayList<>();
        for (At at : page) {
            if (at.documents() > 1) {
                found.add(new Found(
                        at.path(),
                        new Finding(
                                Kind.DOUBLED_PATH,
                                at.documents() + " documents have the path " + at.path() + " in " + namespace.name())));
            }
        }
        paths(namespace, page, found);
        if (namespace.directoriesAreDocuments()) {
            orphans(namespace, page, found);
        }
        return found;
    }

    private static void paths(Namespace namespace, List<At> page, List<Found> found) {
        for (At at : page) {
            namespace
                    .notation()
                    .problem(at.path())
                    .ifPresent(problem -> found.add(new Found(
                            at.path(),
                            new Finding(
                                    Kind.INVALID_PATH,
                                    counted(at.documents()) + " in " + namespace.name() + ": " + problem))));
        }
    }

    private static String counted(long documents) {
        return documents == 1 ? "1 document" : documents + " documents";
    }

    private void orphans(Namespace namespace, List<At> page, List<Found> found) {
        Map<String, String> parents = new HashMap<>();
        for (At at : page) {
            String parent = parent(namespace, at.path());
            if (parent != null) {
                parents.put(at.path(), parent);
            }
        }
        Set<String> directories = survey.directories(namespace, new HashSet<>(parents.values()));
        for (At at : page) {
            String parent = parents.get(at.path());
            if (parent != null && !directories.contains(parent)) {
                found.add(new Found(
                        at.path(),
                        new Finding(
                                Kind.ORPHAN,
                                "there is no directory " + parent + " above " + at.path() + " in "
                                        + namespace.name())));
            }
        }
    }

    private static @Nullable String parent(Namespace namespace, String path) {
        if (namespace.notation().problem(path).isPresent()) {
            return null;
        }
        TreePath parent = namespace.notation().path(path).parent();
        return parent.isRoot() ? null : parent.text();
    }

    private static boolean isAtOrBelow(String path, List<TreePath> ends) {
        return ends.stream().anyMatch(end -> path.equals(end.text()) || path.startsWith(end.prefixOfBelow()));
    }

    private List<TreePath> pathsOfDecided(Namespace namespace) {
        List<TreePath> ends = new ArrayList<>();
        open.get()
                .filter(request -> request.namespace().equals(namespace.name()))
                .flatMap(request -> Stream.of(request.source(), request.destination()))
                .filter(text -> namespace.notation().problem(text).isEmpty())
                .forEach(text -> ends.add(namespace.notation().path(text)));
        return ends;
    }

    private static Stream<ParsedRequest.RenameRequest> open(Journal journal) {
        return journal.in(DECIDED).stream()
                .flatMap(requestId -> journal.read(requestId).stream())
                .flatMap(found -> Stream.ofNullable(found.value().request()));
    }
}
