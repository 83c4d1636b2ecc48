package org.treerename.janitor.proposal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Fields.Holds;
import org.treerename.path.Notation;

/**
 * The fields whose values follow from the path. The choice of the fields depends only on the documents of the sample. A
 * field follows from the path if it agrees with the path in nearly all documents that contain the field. A rename
 * overwrites these fields. However, a field such as {@code title} may contain a text that people wrote. So the name
 * field must have a typical name, and must agree with the path in all documents that contain it.
 *
 * @param remarks sentences about these fields, for the owner of the index
 */
record FieldGuess(
        @Nullable String parent,
        @Nullable String name,
        @Nullable String depth,
        @Nullable String ancestors,
        List<String> prefixed,
        List<String> remarks) {

    /** The minimum share of the documents in which a field agrees with the path. */
    private static final double NEARLY_ALL = 0.95;

    /** The minimum number of documents that must contain a field. A field in fewer documents is not chosen. */
    private static final int LEAST_DOCUMENTS = 3;

    static FieldGuess of(PathGuess guess, List<SampleDocument> documents) {
        return new Choice(guess, documents).fields();
    }

    /** Returns the chosen fields and the path field, as a definition of a namespace contains them. */
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
            return disagreeing() == 0;
        }

        int disagreeing() {
            return having - agreeing;
        }
    }

    /** A field that agrees with the path in nearly all documents. */
    private record Candidate(String field, Agreement agreement) {}

    private static final class Choice {

        private final PathGuess guess;
        private final List<SampleDocument> documents;
        private final Set<String> fields = new TreeSet<>();

        private final Set<String> used = new HashSet<>();

        private final List<Candidate> chosen = new ArrayList<>();

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
                    : choose(isName, (field, agreement) -> agreement.isFull() && PathGuess.isCalledName(field));
            String parent = choose(
                    (path, value) -> value.isTextual() && value.textValue().equals(notation.parentOf(path)));
            String ancestors =
                    choose((path, value) -> value.isArray() && texts(value).equals(notation.ancestorsOf(path)));
            String depth =
                    choose((path, value) -> value.isIntegralNumber() && value.asLong() == notation.depthOf(path));
            List<String> prefixed = new ArrayList<>();
            for (String field = choose(this::endsWithPath); field != null; field = choose(this::endsWithPath)) {
                prefixed.add(field);
            }
            List<String> remarks = remarks();
            if (name == null) {
                first(isName, (field, agreement) -> true)
                        .ifPresent(left -> remarks.add("the field " + left.field()
                                + " contains the name of the document in nearly all documents. Renames do not change"
                                + " this field, because people may have written its values. If renames must overwrite"
                                + " the field, add name_field: " + left.field() + " to the definition"));
            }
            return new FieldGuess(parent, name, depth, ancestors, prefixed, remarks);
        }

        private List<String> remarks() {
            List<String> remarks = new ArrayList<>();
            if (!chosen.isEmpty()) {
                remarks.add("renames overwrite these fields, because their values follow from the path: "
                        + chosen.stream().map(Candidate::field).collect(Collectors.joining(", "))
                        + "; remove a field from the definition if renames must not change it");
            }
            chosen.stream()
                    .filter(candidate -> !candidate.agreement().isFull())
                    .forEach(candidate -> remarks.add("the field " + candidate.field()
                            + " does not agree with the path in "
                            + candidate.agreement().disagreeing() + " of "
                            + candidate.agreement().having()
                            + " documents: a rename of these documents replaces the value"));
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

        private @Nullable String choose(BiPredicate<String, JsonNode> agrees) {
            return choose(agrees, (field, agreement) -> true);
        }

        private @Nullable String choose(BiPredicate<String, JsonNode> agrees, BiPredicate<String, Agreement> permits) {
            Optional<Candidate> found = first(agrees, permits);
            found.ifPresent(candidate -> {
                used.add(candidate.field());
                chosen.add(candidate);
            });
            return found.map(Candidate::field).orElse(null);
        }

        private Optional<Candidate> first(
                BiPredicate<String, JsonNode> agrees, BiPredicate<String, Agreement> permits) {
            return fields.stream()
                    .filter(this::isFree)
                    .flatMap(field -> agreement(field, agrees)
                            .filter(Agreement::isNearlyFull)
                            .filter(agreement -> permits.test(field, agreement))
                            .map(agreement -> new Candidate(field, agreement))
                            .stream())
                    .findFirst();
        }

        private boolean isFree(String field) {
            return used.stream()
                    .noneMatch(other ->
                            other.equals(field) || other.startsWith(field + ".") || field.startsWith(other + "."));
        }

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
