package org.treerename.janitor.proposal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Fields.Holds;
import org.treerename.path.Notation;

/**
 * The field that most probably contains the paths of some documents, and the notation of these paths. The choice of the
 * field depends only on the documents.
 *
 * @param field the path field
 * @param holds whether the path field contains the whole path or only the directory
 * @param name the field with the last segment; null if the path field contains the whole path
 */
public record PathGuess(
        String field,
        Notation notation,
        Holds holds,
        @Nullable String name) {

    /** The minimum score of a field that is treated as a path. */
    private static final double LEAST_SCORE = 0.4;

    /** The minimum share of the documents that must agree with a guess. */
    private static final double MOST_DOCUMENTS = 0.8;

    /** The possible separators, each with the probability that a text with this separator is a path. */
    private static final Map<String, Double> SEPARATORS =
            Map.of("/", 1.0, "\\", 0.95, "::", 0.9, " > ", 0.85, ">", 0.8, "|", 0.7, ":", 0.5, ".", 0.5);

    private static final double NAME_BONUS = 0.3;

    /** The names of fields that often contain paths. The names are in lower case and without underscores. */
    private static final Set<String> PATHS = Set.of(
            "path",
            "fullpath",
            "filepath",
            "treepath",
            "virtual",
            "location",
            "fullyqualifiedname",
            "fqn",
            "dir",
            "directory",
            "folder",
            "hierarchy",
            "breadcrumb");

    private static final Set<String> NAMES = Set.of("name", "filename", "basename");

    /** The names of fields that often contain a title that people wrote. */
    private static final Set<String> TITLES = Set.of("title", "label");

    /**
     * Chooses the path field.
     *
     * @param mayBePath whether the mapping permits paths in a field
     * @param field the path field; null if this method chooses it
     * @param separator the separator; null if this method chooses it
     * @return empty if no field looks like a path
     */
    public static Optional<PathGuess> of(
            List<SampleDocument> documents,
            Predicate<String> mayBePath,
            @Nullable String field,
            @Nullable String separator) {
        Set<String> fields = new TreeSet<>();
        if (field == null) {
            documents.forEach(document -> fields.addAll(document.fields()));
            fields.removeIf(mayBePath.negate());
        } else {
            fields.add(field);
        }
        Collection<String> separators = separator == null ? SEPARATORS.keySet() : Set.of(separator);
        PathGuess best = null;
        double highest = field == null ? LEAST_SCORE : -1;
        for (String candidate : fields) {
            List<String> texts = texts(documents, candidate).toList();
            for (String one : separators) {
                double score = score(texts, documents.size(), one) + (isNamed(candidate, PATHS) ? NAME_BONUS : 0);
                // at least one text must contain the separator, unless the caller has chosen the separator
                boolean isPath = separator != null || texts.stream().anyMatch(text -> text.contains(one));
                if (score > highest && isPath) {
                    highest = score;
                    best = of(documents, candidate, notation(texts, one));
                }
            }
        }
        if (best == null && field != null) {
            return Optional.of(of(documents, field, notation(List.of(), separator == null ? "/" : separator)));
        }
        return Optional.ofNullable(best);
    }

    private static double score(List<String> texts, int documents, String separator) {
        if (texts.size() < documents * MOST_DOCUMENTS || texts.isEmpty()) {
            return 0;
        }
        Notation notation = notation(texts, separator);
        double separated = part(texts, text -> text.contains(separator)) * SEPARATORS.getOrDefault(separator, 1.0);
        double valid =
                part(texts, text -> notation.problem(withoutEnd(notation, text)).isEmpty());
        // a field with directories has the same value in several documents; a field with whole paths does not
        double distinct = (double) new HashSet<>(texts).size() / texts.size();
        return separated * valid * (0.5 + 0.5 * distinct);
    }

    private static double part(List<String> texts, Predicate<String> matching) {
        return (double) texts.stream().filter(matching).count() / texts.size();
    }

    private static Notation notation(List<String> texts, String separator) {
        boolean leading =
                texts.isEmpty() ? separator.equals("/") : part(texts, text -> text.startsWith(separator)) >= 0.5;
        Notation plain = new Notation(separator, leading, false);
        Notation quoted = new Notation(separator, leading, true);
        long plainProblems = problems(texts, plain);
        boolean isQuoted = texts.stream().anyMatch(text -> text.indexOf('"') >= 0)
                && !separator.equals("/")
                && problems(texts, quoted) <= plainProblems;
        return isQuoted ? quoted : plain;
    }

    private static long problems(List<String> texts, Notation notation) {
        return texts.stream()
                .filter(text -> notation.problem(withoutEnd(notation, text)).isPresent())
                .count();
    }

    private static PathGuess of(List<SampleDocument> documents, String field, Notation notation) {
        List<String> texts = texts(documents, field).toList();
        boolean isDistinct = new HashSet<>(texts).size() > texts.size() * 0.9;
        if (!isDistinct) {
            for (String name : names(documents, field)) {
                if (isCompletedBy(documents, field, notation, name)) {
                    return new PathGuess(field, notation, Holds.DIRECTORY, name);
                }
            }
        }
        return new PathGuess(field, notation, Holds.PATH, null);
    }

    private static List<String> names(List<SampleDocument> documents, String field) {
        Set<String> names = new TreeSet<>();
        documents.forEach(document -> names.addAll(document.fields()));
        return names.stream()
                .filter(name -> !name.equals(field) && (isCalledName(name) || isNamed(name, TITLES)))
                .toList();
    }

    /** Returns whether directory and name identify the documents, and few directories already end with the name. */
    private static boolean isCompletedBy(List<SampleDocument> documents, String field, Notation notation, String name) {
        Set<List<String>> pairs = new HashSet<>();
        int complete = 0;
        int ending = 0;
        for (SampleDocument document : documents) {
            Optional<String> directory = document.text(field);
            Optional<String> last = document.text(name);
            if (directory.isPresent() && last.isPresent() && !last.get().contains(notation.separator())) {
                complete++;
                pairs.add(List.of(directory.get(), last.get()));
                ending += notation.nameOf(withoutEnd(notation, directory.get())).equals(last.get()) ? 1 : 0;
            }
        }
        return complete > documents.size() * MOST_DOCUMENTS && pairs.size() > complete * 0.9 && ending < complete * 0.5;
    }

    private static Stream<String> texts(List<SampleDocument> documents, String field) {
        return documents.stream().flatMap(document -> document.text(field).stream());
    }

    /** Returns whether the name of a field is typical for a field that contains the last segment of the path. */
    static boolean isCalledName(String field) {
        return isNamed(field, NAMES);
    }

    private static boolean isNamed(String field, Set<String> names) {
        String last = field.substring(field.lastIndexOf('.') + 1);
        return names.contains(last.toLowerCase(Locale.ROOT).replace("_", ""));
    }

    /** Returns the text without a separator at its end. The root remains the root. */
    static String withoutEnd(Notation notation, String text) {
        String separator = notation.separator();
        return text.length() > separator.length() && text.endsWith(separator)
                ? text.substring(0, text.length() - separator.length())
                : text;
    }

    /** Returns the path of a document, without a separator at its end; empty if the document has no path. */
    Optional<String> path(SampleDocument document) {
        Optional<String> text = document.text(field).map(found -> withoutEnd(notation, found));
        return name == null
                ? text
                : text.flatMap(directory -> document.text(name).map(last -> notation.childOf(directory, last)));
    }

    /** Returns the path of a document; empty if the document has no valid path. */
    Optional<String> validPath(SampleDocument document) {
        return path(document).filter(text -> notation.problem(text).isEmpty());
    }

    /**
     * Returns the paths of the parent directories of the documents, at most {@code most} paths. The root is omitted.
     */
    public Set<String> parents(List<SampleDocument> documents, int most) {
        Set<String> parents = new TreeSet<>();
        String root = notation.root().text();
        documents.stream()
                .flatMap(document -> validPath(document).stream())
                .map(notation::parentOf)
                .filter(parent -> !parent.equals(root))
                .forEach(parent -> {
                    if (parents.size() < most) {
                        parents.add(parent);
                    }
                });
        return parents;
    }

    /**
     * Returns the texts that the path field may contain for these paths: each path twice, without and with a separator
     * at the end.
     */
    public List<String> spellings(Collection<String> paths) {
        List<String> texts = new ArrayList<>();
        for (String path : paths) {
            texts.add(path);
            texts.add(path + notation.separator());
        }
        return texts;
    }
}
