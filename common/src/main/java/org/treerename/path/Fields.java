package org.treerename.path;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a document that say where it stands, by their names in the mapping: {@code path.virtual} is the field {@code
 * virtual} of the object {@code path}, or a field that is spelled with the dot.
 *
 * @param path the field that says where a document stands, and by which documents are found
 * @param keyword a sub-field of that in the mapping, by which they are found instead
 * @param holds what the path field says
 * @param parent a field with the path of the directory above
 * @param name a field with the last segment; needed where the path field holds the directory
 * @param depth a field with the number of segments, a JSON number
 * @param ancestors a field with an array of the paths above, the highest first, without the root
 * @param references fields of which each text that is a path of this tree at or below the source of a rename follows it, in
 *     the documents that the rename moves and in no others
 * @param prefixed fields of which each text that ends with the path has it replaced, and keeps what stands before: a mount
 *     point, a URL
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

    /** What the path field says of a document. */
    public enum Holds {
        /** Its own path. */
        PATH,
        /** The path of the directory in which it stands; its name is in the name field. */
        DIRECTORY;

        /** As definitions say it: {@code path} or {@code directory}. */
        public String stored() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Fields {
        references = List.copyOf(references);
        prefixed = List.copyOf(prefixed);
        requireFilled("path_field", path);
        if (keyword != null && (!keyword.startsWith(path + ".") || keyword.length() == path.length() + 1)) {
            throw new IllegalArgumentException(
                    "path_keyword is a sub-field of path_field, " + path + ".…, found \"" + keyword + "\"");
        }
        if (holds == Holds.DIRECTORY && name == null) {
            throw new IllegalArgumentException("where path_field holds the directory, name_field is needed");
        }
        Set<String> names = new HashSet<>();
        List<String> all = names(path, parent, name, depth, ancestors, references, prefixed);
        for (String field : all) {
            requireFilled("a field", field);
            if (!names.add(field)) {
                throw new IllegalArgumentException("the field " + field + " stands twice");
            }
        }
        for (String field : all) {
            all.stream()
                    .filter(other -> other.startsWith(field + "."))
                    .findFirst()
                    .ifPresent(other -> {
                        throw new IllegalArgumentException(
                                "the field " + other + " would stand inside of the field " + field);
                    });
        }
    }

    /** Those of documents that are found by the path field itself, without prefixed ones. */
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

    /** A path field that holds the path, a parent field and a name field, if there are such. */
    public static Fields of(String path, @Nullable String parent, @Nullable String name) {
        return new Fields(path, Holds.PATH, parent, name, null, null, List.of());
    }

    /** Every one of them. */
    public List<String> all() {
        return names(path, parent, name, depth, ancestors, references, prefixed);
    }

    /** Those of a document that say where it stands. */
    public List<String> saying() {
        return holds == Holds.DIRECTORY ? List.of(path, Objects.requireNonNull(name)) : List.of(path);
    }

    /** Those of the mapping by which documents are found: for each that says where a document stands the one for it. */
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

    static void requireFilled(String what, String field) {
        if (field.isBlank()
                || field.startsWith(".")
                || field.endsWith(".")
                || field.contains("..")
                || field.startsWith("_")) {
            throw new IllegalArgumentException(what + " of a namespace is no field's name: \"" + field + "\"");
        }
    }
}
