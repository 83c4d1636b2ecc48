package org.treerename.namespace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Notation;

/**
 * One tree: the index of its documents, the fields that contain the path of a document, and the rules of its renames.
 *
 * @param name the name of the namespace in requests
 * @param index the index or alias of its documents
 * @param notation the notation of its paths
 * @param fields the fields that contain the path of a document
 * @param directories the rule for documents that are directories. If null, no document is a directory, and a directory
 *     exists while documents are below it
 * @param rules the rules of its renames
 */
public record Namespace(
        String name,
        String index,
        Notation notation,
        Fields fields,
        @Nullable Directories directories,
        Rules rules) {

    private static final Pattern INDEX = Pattern.compile("(?!\\.{1,2}$)[a-z0-9.][a-z0-9._-]{0,254}");
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,99}");

    /** The rule for directories: a document is a directory if its {@code field} has the value {@code value}. */
    public record Directories(String field, String value) {
        public Directories {
            Fields.requireFilled("directory_field", field);
            if (value.isEmpty()) {
                throw new IllegalArgumentException("directory_value of a namespace must not be empty");
            }
        }
    }

    public Namespace {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "the name of a namespace must match " + NAME + ", found \"" + name + "\"");
        }
        requireIndex(index);
        if (directories != null && fields.all().contains(directories.field())) {
            throw new IllegalArgumentException("expected a different field for each setting of " + name + ", found "
                    + directories.field() + " in two settings");
        }
        if (rules.versionField() != null && fields.all().contains(rules.versionField())) {
            throw new IllegalArgumentException("version_field of " + name
                    + " must not be a field that renames change, found " + rules.versionField());
        }
    }

    /** Creates a namespace whose paths are written with slashes and whose rules are {@link Rules#DEFAULT}. */
    public Namespace(
            String name,
            String index,
            String pathField,
            @Nullable String parentField,
            @Nullable String nameField,
            @Nullable Directories directories) {
        this(name, index, Notation.SLASHES, Fields.of(pathField, parentField, nameField), directories, Rules.DEFAULT);
    }

    /**
     * Returns a namespace whose documents have the fields {@code path}, {@code parent}, {@code name} and {@code type}.
     * In the document of a directory, the field {@code type} has the value {@code directory}.
     */
    public static Namespace ofFiles(String name, String index) {
        return new Namespace(name, index, "path", "parent", "name", new Directories("type", "directory"));
    }

    /** Returns a copy of this namespace with another granularity. */
    public Namespace lockedBy(Granularity granularity) {
        return with(rules.lockedBy(granularity));
    }

    /** Returns a copy of this namespace with other rules. */
    public Namespace with(Rules other) {
        return new Namespace(name, index, notation, fields, directories, other);
    }

    /**
     * Checks that a text is allowed as the name of an index or alias.
     *
     * @throws IllegalArgumentException if the text is not allowed
     */
    public static void requireIndex(String index) {
        if (!INDEX.matcher(index).matches()) {
            throw new IllegalArgumentException("an index or alias must match " + INDEX + ", found \"" + index + "\"");
        }
    }

    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns the path field. */
    public String pathField() {
        return fields.path();
    }

    public boolean directoriesAreDocuments() {
        return directories != null;
    }

    public Optional<Directories> directoryDocuments() {
        return Optional.ofNullable(directories);
    }

    /**
     * Returns the path of a document; empty if the document has no path. The path need not be a valid {@link
     * org.treerename.path.TreePath}.
     *
     * @param texts a function from the name of a field to the value of this field in the document; empty if the value
     *     is not one string
     */
    public Optional<String> pathOf(Function<String, Optional<String>> texts) {
        Optional<String> text = texts.apply(fields.path());
        return fields.holds() == Fields.Holds.PATH || fields.name() == null
                ? text
                : text.flatMap(directory -> texts.apply(fields.name()).map(name -> notation.childOf(directory, name)));
    }

    /** Returns the values of the fields of {@link Fields#pathFields} in a document at {@code path}, by field name. */
    public Map<String, String> pathValues(String path) {
        return fields.holds() == Fields.Holds.PATH || fields.name() == null
                ? Map.of(fields.path(), path)
                : Map.of(fields.path(), notation.parentOf(path), fields.name(), notation.nameOf(path));
    }

    /**
     * Returns the values of all fields of {@link Fields} in a document at {@code path}, by field name, in a fixed
     * order. The paths come from documents, so they need not be valid {@link org.treerename.path.TreePath}s.
     *
     * @param path the new path of the document
     * @param before the old path of the document
     * @param follow a function from the old path of any document in this tree to its new path
     */
    public Map<String, FieldValue> pathFields(String path, String before, UnaryOperator<String> follow) {
        Map<String, FieldValue> values = new LinkedHashMap<>();
        boolean whole = fields.holds() == Fields.Holds.PATH;
        values.put(fields.path(), new FieldValue.Text(whole ? path : notation.parentOf(path)));
        if (fields.parent() != null) {
            values.put(fields.parent(), new FieldValue.Text(notation.parentOf(path)));
        }
        if (fields.name() != null) {
            values.put(fields.name(), new FieldValue.Text(notation.nameOf(path)));
        }
        if (fields.depth() != null) {
            values.put(fields.depth(), new FieldValue.Whole(notation.depthOf(path)));
        }
        if (fields.ancestors() != null) {
            values.put(fields.ancestors(), new FieldValue.Texts(notation.ancestorsOf(path)));
        }
        fields.references().forEach(field -> values.put(field, new FieldValue.Followed(follow)));
        fields.prefixed()
                .forEach(field -> values.put(field, new FieldValue.Followed(text -> prefixed(text, before, path))));
        return values;
    }

    /**
     * Returns the names of the fields whose values depend only on the path of the document. The path field is the
     * first. Fields whose new value depends on their old value are left out.
     */
    public List<String> computedFields() {
        return pathFields(notation.rootText(), notation.rootText(), UnaryOperator.identity()).entrySet().stream()
                .filter(field -> !(field.getValue() instanceof FieldValue.Followed))
                .map(Map.Entry::getKey)
                .toList();
    }

    private String prefixed(String text, String before, String after) {
        boolean ends =
                text.equals(before) || text.endsWith(notation.leading() ? before : notation.separator() + before);
        return ends ? text.substring(0, text.length() - before.length()) + after : text;
    }
}
