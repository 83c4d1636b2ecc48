package org.treerename.checker;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Notation;

/**
 * Checks point 2 of {@link Checker}: two documents that were at different paths do not end at the same path. If
 * directories are documents, the parent of every document exists. The check ignores:
 * <ul>
 *   <li>documents that writers without locks created or deleted;
 *   <li>documents that had no parent before the run;
 *   <li>paths that a decided but unfinished rename affects.
 * </ul>
 */
final class Paths {

    private static final int POINT = 2;

    private final Run run;
    private final Others others;
    private final Findings findings;
    private final List<Way> unfinished;

    Paths(Run run, Others others, Findings findings) {
        this.run = run;
        this.others = others;
        this.findings = findings;
        this.unfinished = run.control().journal().entries().stream()
                .filter(entry -> entry.isDecidedToMove() && !entry.isCompleted())
                .flatMap(entry -> run.way(entry).stream())
                .toList();
    }

    void check() {
        doubled();
        if (run.namespace().directoriesAreDocuments()) {
            Set<String> before = orphans(run.before()).keySet();
            orphans(run.after()).forEach((id, path) -> {
                if (!before.contains(id) && !isExcused(id, path)) {
                    findings.add(
                            POINT,
                            "expected a directory " + parent(path) + " above the document " + id + " at " + path
                                    + ", found none");
                }
            });
        }
    }

    private void doubled() {
        Map<String, String> before = pathsById(run.before());
        Map<String, String> idAt = new HashMap<>();
        pathsById(run.after()).forEach((id, path) -> {
            if (others.isLoose(id)) {
                return;
            }
            String other = idAt.putIfAbsent(path, id);
            if (other != null && !isBelowUnfinished(path) && !sameBefore(before.get(id), before.get(other))) {
                findings.add(
                        POINT,
                        "expected one document at " + path + ", found " + other + ", which was at " + before.get(other)
                                + " before, and " + id + ", which was at " + before.get(id));
            }
        });
    }

    private static boolean sameBefore(@Nullable String one, @Nullable String other) {
        return one != null && one.equals(other);
    }

    private boolean isExcused(String id, String path) {
        return others.isLoose(id) || others.mayHaveStoodAt(parent(path)) || isBelowUnfinished(path);
    }

    private boolean isBelowUnfinished(String path) {
        return unfinished.stream().anyMatch(way -> way.overlaps(path));
    }

    private static Map<String, String> pathsById(TreeDump dump) {
        Map<String, String> paths = new HashMap<>();
        for (TreeDump.StoredDocument stored : dump.stored()) {
            String path = stored.path();
            if (path != null) {
                paths.put(stored.document().id(), path);
            }
        }
        return paths;
    }

    private String parent(String path) {
        return run.namespace().notation().parentOf(path);
    }

    private Map<String, String> orphans(TreeDump dump) {
        Notation notation = run.namespace().notation();
        Set<String> directories = new HashSet<>(Set.of(notation.root().text()));
        for (TreeDump.StoredDocument stored : dump.stored()) {
            if (stored.document().directory() && stored.path() != null) {
                directories.add(stored.path());
            }
        }
        Map<String, String> orphans = pathsById(dump);
        orphans.values().removeIf(path -> notation.problem(path).isPresent() || directories.contains(parent(path)));
        return orphans;
    }
}
