package org.treerename.checker;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.treerename.namespace.Namespace;

/**
 * The differences between the tree of a model and the tree of a dump, document by document.
 *
 * @param expected the number of documents in the model
 * @param found the number of documents in the dump
 * @param counts the number of differences of each kind; kinds without a difference are absent
 * @param first texts that describe the first differences
 */
public record Comparison(long expected, long found, Map<Kind, Long> counts, List<String> first) {

    /** The ways in which the documents of a dump can differ from the documents of the model. */
    public enum Kind {
        MISSING,
        UNEXPECTED,
        DOUBLED,
        WRONG_PATH,
        WRONG_PARENT,
        WRONG_NAME,
        CHANGED_CONTENTS,
        CHANGED_ROUTING;

        /** Returns the name in lower case, with spaces, for example {@code wrong path}. */
        public String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** The maximum number of differences in {@link #first}. */
    public static final int MOST_REPORTED = 20;

    public Comparison {
        counts = Map.copyOf(counts);
        first = List.copyOf(first);
    }

    public static Comparison of(TreeModel model, TreeDump dump) {
        return new Comparing(dump.namespace()).compare(model, dump);
    }

    public boolean isEqual() {
        return counts.isEmpty() && expected == found;
    }

    @Override
    public String toString() {
        if (isEqual()) {
            return "documents: " + expected + ", each at the expected path and with the expected contents";
        }
        StringBuilder words = new StringBuilder(
                "expected " + expected + " documents, found " + found + "; differences: " + new TreeMap<>(counts));
        first.forEach(
                difference -> words.append(System.lineSeparator()).append("  ").append(difference));
        return words.toString();
    }

    private record Expected(String path, TreeDocument document) {}

    /** Compares each document of a dump with a model, and counts the differences. */
    private static final class Comparing {
        private final Namespace namespace;
        private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
        private final List<String> first = new ArrayList<>();
        private final Map<String, String> idAtPath = new HashMap<>();
        private final Set<String> ids = new HashSet<>();

        Comparing(Namespace namespace) {
            this.namespace = namespace;
        }

        Comparison compare(TreeModel model, TreeDump dump) {
            Map<String, Expected> left = new HashMap<>();
            model.forEach((path, document) -> left.put(document.id(), new Expected(path, document)));
            for (TreeDump.StoredDocument stored : dump.stored()) {
                String id = stored.document().id();
                if (!ids.add(id)) {
                    differs(
                            Kind.DOUBLED,
                            "the document " + id + " was found twice, the second time at " + stored.path());
                    continue;
                }
                fitsItself(stored);
                Expected expected = left.remove(id);
                if (expected == null) {
                    differs(
                            Kind.UNEXPECTED,
                            "expected no document with the id " + id + ", found it at " + stored.path());
                } else {
                    fits(expected, stored);
                }
            }
            left.forEach((id, expected) -> differs(
                    Kind.MISSING, "expected the document " + id + " at " + expected.path() + ", found it nowhere"));
            return new Comparison(model.documents(), dump.stored().size(), counts, first);
        }

        private void fits(Expected expected, TreeDump.StoredDocument stored) {
            String document = "the document " + expected.document().id();
            if (!expected.path().equals(stored.path())) {
                differs(
                        Kind.WRONG_PATH,
                        "expected " + document + " at " + expected.path() + ", found it at " + stored.path());
            }
            if (!expected.document().digest().equals(stored.document().digest())) {
                differs(
                        Kind.CHANGED_CONTENTS,
                        "the contents of " + document + " at " + stored.path() + " have changed");
            }
            String routing = expected.document().routing();
            if (!Objects.equals(routing, stored.document().routing())) {
                differs(
                        Kind.CHANGED_ROUTING,
                        "expected " + document + " at " + stored.path() + " with routing " + routing + ", found "
                                + stored.document().routing());
            }
        }

        private void fitsItself(TreeDump.StoredDocument stored) {
            String id = stored.document().id();
            String path = stored.path();
            if (path == null) {
                return;
            }
            String other = idAtPath.putIfAbsent(path, id);
            if (other != null) {
                differs(
                        Kind.DOUBLED,
                        "the path " + path + " was found twice: in the documents " + other + " and " + id);
            }
            String parent = namespace.notation().parentOf(path);
            if (namespace.fields().parent() != null && !parent.equals(stored.parent())) {
                differs(
                        Kind.WRONG_PARENT,
                        "expected parent " + parent + " in the document " + id + " at " + path + ", found "
                                + stored.parent());
            }
            String name = namespace.notation().nameOf(path);
            if (namespace.fields().name() != null && !name.equals(stored.name())) {
                differs(
                        Kind.WRONG_NAME,
                        "expected name " + name + " in the document " + id + " at " + path + ", found "
                                + stored.name());
            }
        }

        private void differs(Kind kind, String words) {
            counts.merge(kind, 1L, Long::sum);
            if (first.size() < MOST_REPORTED) {
                first.add(kind.words() + ": " + words);
            }
        }
    }
}
