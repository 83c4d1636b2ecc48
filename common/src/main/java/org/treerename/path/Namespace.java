package org.treerename.path;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One tree: where its documents lie and which of their fields say where a document stands in it.
 *
 * @param name what requests call it
 * @param index the index or alias of its documents
 * @param pathField the keyword field with a document's full path
 * @param parentField a field with the path of the directory above it, if there is one
 * @param nameField a field with the last segment, if there is one
 * @param directories which documents are directories; if null none is, and a directory exists where documents lie below
 *     it
 */
public record Namespace(
        String name,
        String index,
        String pathField,
        @Nullable String parentField,
        @Nullable String nameField,
        @Nullable Directories directories) {

    private static final Pattern INDEX = Pattern.compile("[a-z0-9.][a-z0-9._-]{0,254}");
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,99}");

    /** Documents whose {@code field} has the value {@code value} are directories. */
    public record Directories(String field, String value) {
        public Directories {
            requireFilled("directories.field", field);
            requireFilled("directories.value", value);
        }
    }

    public Namespace {
        if (!isName(name)) {
            throw new IllegalArgumentException("a namespace's name matches " + NAME + ", found \"" + name + "\"");
        }
        if (!INDEX.matcher(index).matches()) {
            throw new IllegalArgumentException(
                    "the index or alias of " + name + " matches " + INDEX + ", found \"" + index + "\"");
        }
        requireFilled("path_field", pathField);
        if (pathField.equals(parentField) || pathField.equals(nameField)) {
            throw new IllegalArgumentException("the path field " + pathField + " of " + name + " stands twice");
        }
    }

    /** A tree whose documents carry {@code path}, {@code parent}, {@code name} and a {@code type} that may be {@code directory}. */
    public static Namespace ofFiles(String name, String index) {
        return new Namespace(name, index, "path", "parent", "name", new Directories("type", "directory"));
    }

    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    public boolean directoriesAreDocuments() {
        return directories != null;
    }

    public Optional<Directories> directoryDocuments() {
        return Optional.ofNullable(directories);
    }

    /**
     * The path fields of a document that stands at {@code path}, by name, in a fixed order. The text is one that a
     * document carries, so it need not be a {@link Path}.
     */
    public Map<String, String> pathFields(String path) {
        int end = path.lastIndexOf(Path.SEPARATOR);
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(pathField, path);
        if (parentField != null) {
            fields.put(parentField, end <= 0 ? Path.ROOT.text() : path.substring(0, end));
        }
        if (nameField != null) {
            fields.put(nameField, path.substring(end + 1));
        }
        return fields;
    }

    private static void requireFilled(String field, String value) {
        if (Objects.requireNonNull(value, field).isBlank()) {
            throw new IllegalArgumentException(field + " of a namespace is empty");
        }
    }
}
