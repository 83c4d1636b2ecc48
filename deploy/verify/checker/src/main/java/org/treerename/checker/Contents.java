package org.treerename.checker;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.FieldValue;
import org.treerename.namespace.Namespace;

/**
 * Checks point 1 of {@link Checker}: no document is lost, duplicated, or changed in any field except its path fields. A
 * document keeps its sequence number if no rename has moved it, and no writer without locks has written it.
 */
final class Contents {

    private static final int POINT = 1;

    private final Run run;
    private final Others others;
    private final Replay replay;
    private final Findings findings;

    Contents(Run run, Others others, Replay replay, Findings findings) {
        this.run = run;
        this.others = others;
        this.replay = replay;
        this.findings = findings;
    }

    void check() {
        Map<String, TreeDump.StoredDocument> before = new HashMap<>();
        run.before().stored().forEach(stored -> before.put(stored.document().id(), stored));
        Set<String> found = new HashSet<>();
        for (TreeDump.StoredDocument stored : run.after().stored()) {
            String id = stored.document().id();
            if (!found.add(id)) {
                findings.add(POINT, "expected the document " + id + " once, found it twice");
            } else {
                check(stored, before.get(id));
            }
        }
        before.forEach((id, stored) -> {
            if (!found.contains(id) && !mayBeGone(id)) {
                findings.add(
                        POINT,
                        "expected the document " + id + ", which was at " + stored.path() + " before, at "
                                + replay.place(id) + ", found it nowhere");
            }
        });
        others.loose().stream()
                .filter(id -> !before.containsKey(id) && !found.contains(id) && !others.mayBeGone(id))
                .forEach(id -> findings.add(
                        POINT,
                        "expected the document " + id + ", which a writer without locks created, found it nowhere"));
    }

    private boolean mayBeGone(String id) {
        return others.isLoose(id) ? others.mayBeGone(id) : replay.replacedBy(id).isPresent();
    }

    private void check(TreeDump.StoredDocument after, TreeDump.@Nullable StoredDocument before) {
        String id = after.document().id();
        String where = "the document " + id + " at " + after.path();
        pathFields(after, where);
        if (before == null && !others.isLoose(id)) {
            findings.add(
                    POINT,
                    "found " + where + ", which did not exist before the run, and which no writer without locks"
                            + " created");
            return;
        }
        String digest = others.digest(id)
                .orElse(before == null ? null : before.document().digest());
        if (!after.document().digest().equals(digest)) {
            findings.add(POINT, "expected the contents of " + where + " unchanged, found other contents");
        }
        if (before != null && !others.isLoose(id)) {
            if (!Objects.equals(before.document().routing(), after.document().routing())) {
                findings.add(
                        POINT,
                        "expected " + where + " with routing "
                                + before.document().routing() + ", found "
                                + after.document().routing());
            }
            unchanged(before, after, where);
        }
    }

    private void unchanged(TreeDump.StoredDocument before, TreeDump.StoredDocument after, String where) {
        String id = after.document().id();
        if (replay.moves(id).isEmpty() && others.digest(id).isEmpty() && before.seqNo() != after.seqNo()) {
            findings.add(
                    POINT,
                    "no rename has moved " + where + ": expected sequence number " + before.seqNo() + ", found "
                            + after.seqNo());
        }
    }

    private void pathFields(TreeDump.StoredDocument stored, String where) {
        Namespace namespace = run.namespace();
        String path = stored.path();
        if (path == null) {
            findings.add(
                    POINT,
                    "expected a path in the document " + stored.document().id() + ", found none");
            return;
        }
        Map<String, FieldValue> expected = namespace.pathFields(path, path, UnaryOperator.identity());
        differ(namespace.fields().parent(), expected, stored.parent(), where);
        differ(namespace.fields().name(), expected, stored.name(), where);
    }

    private void differ(
            @Nullable String field, Map<String, FieldValue> expected, @Nullable String found, String where) {
        if (field != null && expected.get(field) instanceof FieldValue.Text(String text) && !text.equals(found)) {
            findings.add(POINT, "expected " + field + " " + text + " in " + where + ", found " + found);
        }
    }
}
