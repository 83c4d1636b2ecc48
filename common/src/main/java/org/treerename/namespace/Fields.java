package org.treerename.namespace;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields that contain the path of a document. Each name is the name of a field in the mapping of the index. For
 * example, {@code path.virtual} is the field {@code virtual} of the object {@code path}, or a field with a dot in its
 * name.
 *
 * @param path the path field, which contains the path of a document or of its directory; searches find documents by
 *     this field
 * @param keyword a sub-field of the path field in the mapping; if not null, searches use this sub-field instead of the
 *     path field
 * @param holds the content of the path field
 * @param parent a field with the path of the directory above the document
 * @param name a field with the last segment; required if the path field contains the directory
 * @param depth a field with the number of segments, as a JSON number
 * @param ancestors a field with an array of the paths of all directories above the document, the highest first, without
 *     the root
 * @param references fields with paths of this tree. A rename changes the paths at or below its source, but only in the
 *     documents that the rename moves
 * @param prefixed fields with texts that end with the path of the document, for example after a mount point or a URL. A
 *     rename replaces the path and keeps the text before the path
 */
public record Fields(
        String path,
        @Nullable String keyword,
        Holds holds,
        @Nullable String parent,
        @Nullable String name,
        @Nullable String depth,
        @Nullable String ancestors,
        List<String> references,
        List<String> prefixed) {

    /** The content of the path field of a document. */
    public enum Holds {
        /** The path of the document. */
        PATH,
        /** The path of the directory that contains the document. The name field contains the last segment. */
        DIRECTORY;

        /** Returns the value of {@code path_holds} in a definition: {@code path} or {@code directory}. */
        public String stored() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Fields {
        references = List.copyOf(references);
        prefixed = List.copyOf(prefixed);
        requireFilled("path_field", path);
        if (keyword != null && (!keyword.startsWith(path + ".") || keyword.length() == path.length() + 1)) {
            throw new IllegalArgumentException("path_keyword must be a sub-field of path_field and begin with \"" + path
                    + ".\", found \"" + keyword + "\"");
        }
        if (holds == Holds.DIRECTORY && name == null) {
            throw new IllegalArgumentException("name_field is required if path_field contains the directory");
        }
        Set<String> names = new HashSet<>();
        List<String> all = names(path, parent, name, depth, ancestors, references, prefixed);
        for (String field : all) {
            requireFilled("a field", field);
            if (!names.add(field)) {
                throw new IllegalArgumentException(
                        "expected a different field for each setting, found " + field + " in two settings");
            }
        }
        for (String field : all) {
            all.stream()
                    .filter(other -> other.startsWith(field + "."))
                    .findFirst()
                    .ifPresent(other -> {
                        throw new IllegalArgumentException(
                                "the field " + other + " must not be inside the field " + field);
                    });
        }
    }

    /** Creates fields without prefixed fields. Searches use the path field itself, not a sub-field. */
    public Fields(
            String path,
            Holds holds,
            @Nullable String parent,
            @Nullable String name,
            @Nullable String depth,
            @Nullable String ancestors,
            List<String> references) {
        this(path, null, holds, parent, name, depth, ancestors, references, List.of());
    }

    /**
     * Returns fields with a path field that contains the path, a parent field and a name field. The parent field and
     * the name field may be null.
     */
    public static Fields of(String path, @Nullable String parent, @Nullable String name) {
        return new Fields(path, Holds.PATH, parent, name, null, null, List.of());
    }

    /** Returns the names of all fields that are not null. */
    public List<String> all() {
        return names(path, parent, name, depth, ancestors, references, prefixed);
    }

    /**
     * Returns the fields that together contain the path of a document: the path field, or the path field and the name
     * field.
     */
    public List<String> pathFields() {
        return holds == Holds.DIRECTORY ? List.of(path, Objects.requireNonNull(name)) : List.of(path);
    }

    /** Returns the fields that searches use to find a document by its path, in the order of {@link #pathFields}. */
    public List<String> searched() {
        String first = keyword == null ? path : keyword;
        return holds == Holds.DIRECTORY ? List.of(first, Objects.requireNonNull(name)) : List.of(first);
    }

    private static List<String> names(
            String path,
            @Nullable String parent,
            @Nullable String name,
            @Nullable String depth,
            @Nullable String ancestors,
            List<String> references,
            List<String> prefixed) {
        List<String> names = new ArrayList<>(Stream.of(path, parent, name, depth, ancestors)
                .filter(Objects::nonNull)
                .toList());
        names.addAll(references);
        names.addAll(prefixed);
        return names;
    }

    static void requireFilled(String setting, String field) {
        if (field.isBlank()
                || field.startsWith(".")
                || field.endsWith(".")
                || field.contains("..")
                || field.startsWith("_")) {
            throw new IllegalArgumentException(setting
                    + " of a namespace must be the name of a field (without a leading, trailing or double dot and without a leading _), found \""
                    + field + "\"");
        }
    }
}
