package org.treerename.janitor.proposal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Fields.Holds;
import org.treerename.path.Notation;

/**
 * The fields of some documents that follow from the path. The choice is a pure function of the documents: a field
 * follows from the path if it agrees with the path in nearly all documents that have it. A rename overwrites these
 * fields. So a field with the name of a document is chosen only if it is called like one, and if all documents agree.
 * People may have written a field such as {@code title}.
 *
 * @param remarks sentences about these fields that the owner of the index should read
 */
record FieldGuess(
        @Nullable String parent,
        @Nullable String name,
        @Nullable String depth,
        @Nullable String ancestors,
        List<String> prefixed,
        List<String> remarks) {

    /** The part of the documents in which a field must agree with the path. */
    private static final double NEARLY_ALL = 0.95;

    /** The minimum number of documents for a choice. */
    private static final int LEAST_DOCUMENTS = 3;

    static FieldGuess of(PathGuess guess, List<SampleDocument> documents) {
        return new Choice(guess, documents).fields();
    }

    /** Returns these fields and the path field, for a definition of a namespace. */
    Fields with(PathGuess guess, @Nullable String keyword) {
        return new Fields(guess.field(), keyword, guess.holds(), parent, name, depth, ancestors, List.of(), prefixed);
    }

    /**
     * The number of documents in which a field agrees with the path.
     *
     * @param having the number of documents that have the field
     */
    private record Agreement(int having, int agreeing) {
        boolean isNearlyFull() {
            return agreeing >= having * NEARLY_ALL;
        }

        boolean isFull() {
            return agreeing == having;
        }
    }

    private static final class Choice {

        private final PathGuess guess;
        private final List<SampleDocument> documents;
        private final Set<String> fields = new TreeSet<>();

        /** The fields that have a meaning already. */
        private final Set<String> used = new HashSet<>();

        private final Map<String, Agreement> chosen = new LinkedHashMap<>();

        Choice(PathGuess guess, List<SampleDocument> documents) {
            this.guess = guess;
            String root = guess.notation().root().text();
            this.documents = documents.stream()
                    .filter(document -> guess.validPath(document)
                            .filter(path -> !path.equals(root))
                            .isPresent())
                    .toList();
            this.documents.forEach(document -> fields.addAll(document.fields()));
            used.add(guess.field());
        }

        FieldGuess fields() {
            Notation notation = guess.notation();
            BiPredicate<String, JsonNode> isName =
                    (path, value) -> value.isTextual() && value.textValue().equals(notation.nameOf(path));
            String name = guess.holds() == Holds.DIRECTORY
                    ? taken(guess.name())
                    : first(isName, (field, agreement) -> agreement.isFull() && PathGuess.isCalledName(field));
            String parent = first(
                    (path, value) -> value.isTextual() && value.textValue().equals(notation.parentOf(path)));
            String ancestors =
                    first((path, value) -> value.isArray() && texts(value).equals(notation.ancestorsOf(path)));
            String depth = first((path, value) -> value.isIntegralNumber() && value.asLong() == notation.depthOf(path));
            List<String> prefixed = new ArrayList<>();
            for (String field = first(this::endsWithPath); field != null; field = first(this::endsWithPath)) {
                prefixed.add(field);
            }
            return new FieldGuess(parent, name, depth, ancestors, prefixed, remarks(isName));
        }

        private List<String> remarks(BiPredicate<String, JsonNode> isName) {
            List<String> remarks = new ArrayList<>();
            if (!chosen.isEmpty()) {
                remarks.add(
                        "a rename rewrites these fields of each document that it moves, because they follow from the"
                                + " path: " + String.join(", ", chosen.keySet())
                                + "; remove a field from the definition if renames must not change it");
            }
            chosen.forEach((field, agreement) -> {
                if (!agreement.isFull()) {
                    remarks.add("the field " + field + " does not agree with the path in "
                            + (agreement.having() - agreement.agreeing()) + " of " + agreement.having()
                            + " documents: a rename of these documents replaces the value");
                }
            });
            for (String field = first(isName); field != null; field = first(isName)) {
                remarks.add("the field " + field + " contains the name of the document, but the definition does not"
                        + " contain it, because people may have written it; add name_field: " + field
                        + " if each rename must replace it");
            }
            return remarks;
        }

        private @Nullable String taken(@Nullable String field) {
            if (field != null) {
                used.add(field);
            }
            return field;
        }

        private boolean endsWithPath(String path, JsonNode value) {
            Notation notation = guess.notation();
            String ending = notation.leading() ? path : notation.separator() + path;
            return value.isTextual()
                    && (value.textValue().equals(path) || value.textValue().endsWith(ending));
        }

        private static List<String> texts(JsonNode array) {
            List<String> texts = new ArrayList<>();
            array.forEach(element -> texts.add(element.isTextual() ? element.textValue() : ""));
            return texts;
        }

        /** Returns the first field that agrees with the path. The field has more than one value in the documents. */
        private @Nullable String first(BiPredicate<String, JsonNode> agrees) {
            return first(agrees, (field, agreement) -> true);
        }

        private @Nullable String first(BiPredicate<String, JsonNode> agrees, BiPredicate<String, Agreement> permits) {
            for (String field : fields) {
                if (isFree(field)) {
                    Optional<Agreement> agreement = agreement(field, agrees)
                            .filter(Agreement::isNearlyFull)
                            .filter(found -> permits.test(field, found));
                    if (agreement.isPresent()) {
                        used.add(field);
                        chosen.put(field, agreement.get());
                        return field;
                    }
                }
            }
            return null;
        }

        /** Returns whether no used field equals this field, is inside it, or contains it. */
        private boolean isFree(String field) {
            return used.stream()
                    .noneMatch(other ->
                            other.equals(field) || other.startsWith(field + ".") || field.startsWith(other + "."));
        }

        /** Returns empty if too few documents have the field, or if it has only one value. */
        private Optional<Agreement> agreement(String field, BiPredicate<String, JsonNode> agrees) {
            int having = 0;
            int agreeing = 0;
            Set<JsonNode> values = new HashSet<>();
            for (SampleDocument document : documents) {
                Optional<JsonNode> value = document.value(field);
                Optional<String> path = guess.validPath(document);
                if (value.isPresent() && path.isPresent()) {
                    having++;
                    values.add(value.get());
                    agreeing += agrees.test(path.get(), value.get()) ? 1 : 0;
                }
            }
            return having >= LEAST_DOCUMENTS && values.size() > 1
                    ? Optional.of(new Agreement(having, agreeing))
                    : Optional.empty();
        }
    }
}
