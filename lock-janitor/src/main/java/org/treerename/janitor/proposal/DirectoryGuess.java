package org.treerename.janitor.proposal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Fields.Holds;
import org.treerename.namespace.Namespace.Directories;

/**
 * A guess whether directories are documents, and which field marks these documents. The guess depends only on the
 * documents of the sample.
 *
 * @param directories the field and the value that mark directories; null if the definition needs no such field
 * @param remarks sentences about the guess
 */
record DirectoryGuess(@Nullable Directories directories, List<String> remarks) {

    private static final String IMPLIED =
            "without directory_field, a directory exists as long as documents are below it";

    /** If fewer directories have a document, directories are not treated as documents. */
    private static final double NEARLY_ALL = 0.95;

    /** Names of fields that often contain the kind of a document, in lower case and without underscores. */
    private static final Set<String> KINDS =
            Set.of("type", "kind", "filetype", "nodetype", "entrytype", "doctype", "itemtype", "class");

    /**
     * Chooses the field and the value that mark documents as directories.
     *
     * @param documents the sample, and the existing documents at {@code parents}
     * @param parents the paths of the searched directories; null if a search for directories is not possible
     * @param used the fields that the definition already uses
     */
    static DirectoryGuess of(
            PathGuess guess, List<SampleDocument> documents, @Nullable Set<String> parents, Set<String> used) {
        if (parents == null) {
            return new DirectoryGuess(
                    null,
                    List.of(
                            guess.holds() == Holds.DIRECTORY
                                    ? "this command cannot search for directories, because two fields together contain"
                                            + " the path; if directories are documents, add directory_field and"
                                            + " directory_value to the definition"
                                    : "searches cannot find the paths yet, so it is not known whether directories are"
                                            + " documents; run this command again when the mapping is repaired"));
        }
        if (parents.isEmpty()) {
            return new DirectoryGuess(
                    null, List.of("all documents of the sample are directly below the root; " + IMPLIED));
        }
        List<SampleDocument> present = new ArrayList<>();
        List<SampleDocument> others = new ArrayList<>();
        Set<String> found = new HashSet<>();
        for (SampleDocument document : documents) {
            Optional<String> path = guess.validPath(document);
            if (path.isPresent() && parents.contains(path.get())) {
                present.add(document);
                found.add(path.get());
            } else {
                others.add(document);
            }
        }
        String counted = found.size() + " of " + parents.size() + " directories";
        if (found.isEmpty()) {
            return new DirectoryGuess(null, List.of("directories are not documents; " + IMPLIED));
        }
        if (found.size() < parents.size() * NEARLY_ALL) {
            return new DirectoryGuess(
                    null,
                    List.of("only " + counted + " have a document, so no directory_field is proposed; " + IMPLIED));
        }
        return marked(present, others, used, counted);
    }

    private static DirectoryGuess marked(
            List<SampleDocument> present, List<SampleDocument> others, Set<String> used, String counted) {
        Directories best = null;
        double highest = 0;
        for (String field : fields(present)) {
            Optional<String> value = common(present, field);
            if (value.isEmpty() || value.get().isEmpty() || used.contains(field)) {
                continue;
            }
            long different = others.stream()
                    .filter(document -> document.text(field)
                            .filter(text -> !text.equals(value.get()))
                            .isPresent())
                    .count();
            double score = different + (isKind(field) ? others.size() : 0);
            if (different > 0 && score > highest) {
                highest = score;
                best = new Directories(field, value.get());
            }
        }
        List<String> remarks = new ArrayList<>(List.of(counted + " have a document"));
        if (best == null) {
            remarks.add("no field with a text distinguishes directories from other documents"
                    + flag(present)
                            .map(field -> " (the field " + field + " contains true or false, not a text)")
                            .orElse("")
                    + ", so no directory_field is proposed; " + IMPLIED);
        }
        return new DirectoryGuess(best, remarks);
    }

    private static Set<String> fields(List<SampleDocument> documents) {
        Set<String> fields = new TreeSet<>();
        documents.forEach(document -> fields.addAll(document.fields()));
        return fields;
    }

    /** A document without a text in this field counts as a document with an empty text. */
    private static Optional<String> common(List<SampleDocument> documents, String field) {
        Map<String, Integer> counts = new HashMap<>();
        documents.forEach(document -> counts.merge(document.text(field).orElse(""), 1, Integer::sum));
        return counts.size() == 1 ? counts.keySet().stream().findFirst() : Optional.empty();
    }

    private static boolean isKind(String field) {
        String last = field.substring(field.lastIndexOf('.') + 1);
        return KINDS.contains(last.toLowerCase(Locale.ROOT).replace("_", ""));
    }

    private static Optional<String> flag(List<SampleDocument> documents) {
        return fields(documents).stream()
                .filter(field -> documents.stream()
                        .allMatch(document -> document.value(field)
                                .filter(JsonNode::isBoolean)
                                .filter(JsonNode::booleanValue)
                                .isPresent()))
                .findFirst();
    }
}
