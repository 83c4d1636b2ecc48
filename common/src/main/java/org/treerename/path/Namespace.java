package org.treerename.path;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One tree: where its documents lie, which of their fields say where a document stands in it, and how its renames are
 * carried out.
 *
 * @param name what requests call it
 * @param index the index or alias of its documents
 * @param notation how its paths are written
 * @param directories which documents are directories; if null none is, and a directory exists where documents lie below
 *     it
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

    /** Documents whose {@code field} has the value {@code value} are directories. */
    public record Directories(String field, String value) {
        public Directories {
            Fields.requireFilled("directories.field", field);
            if (value.isEmpty()) {
                throw new IllegalArgumentException("directories.value of a namespace is empty");
            }
        }
    }

    public Namespace {
        if (!isName(name)) {
            throw new IllegalArgumentException("a namespace's name matches " + NAME + ", found \"" + name + "\"");
        }
        requireIndex(index);
        if (directories != null && fields.all().contains(directories.field())) {
            throw new IllegalArgumentException("the field " + directories.field() + " of " + name + " stands twice");
        }
        if (rules.versionField() != null && fields.all().contains(rules.versionField())) {
            throw new IllegalArgumentException(
                    "version_field of " + name + " is a path field already: " + rules.versionField());
        }
    }

    /** One whose paths are written with slashes, in which there is one lock for each path, and nothing else is special. */
    public Namespace(
            String name,
            String index,
            String pathField,
            @Nullable String parentField,
            @Nullable String nameField,
            @Nullable Directories directories) {
        this(name, index, Notation.SLASHES, Fields.of(pathField, parentField, nameField), directories, Rules.DEFAULT);
    }

    /** A tree whose documents carry {@code path}, {@code parent}, {@code name} and a {@code type} that may be {@code directory}. */
    public static Namespace ofFiles(String name, String index) {
        return new Namespace(name, index, "path", "parent", "name", new Directories("type", "directory"));
    }

    /** The same whose renames lock otherwise. */
    public Namespace lockedBy(Granularity granularity) {
        return with(rules.lockedBy(granularity));
    }

    /** The same tree whose renames are carried out otherwise. */
    public Namespace with(Rules other) {
        return new Namespace(name, index, notation, fields, directories, other);
    }

    /**
     * Comes back if the text may be the name of an index or alias.
     *
     * @throws IllegalArgumentException if not
     */
    public static void requireIndex(String index) {
        if (!INDEX.matcher(index).matches()) {
            throw new IllegalArgumentException("an index or alias matches " + INDEX + ", found \"" + index + "\"");
        }
    }

    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** The field by which documents are found. */
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
     * Where a document stands, which need not be a {@link TreePath}; empty if it does not say.
     *
     * @param texts what a field of it says, where that is one text
     */
    public Optional<String> pathOf(Function<String, Optional<String>> texts) {
        Optional<String> said = texts.apply(fields.path());
        return fields.holds() == Fields.Holds.PATH || fields.name() == null
                ? said
                : said.flatMap(directory -> texts.apply(fields.name()).map(name -> notation.childOf(directory, name)));
    }

    /** What the fields of a document that say where it stands say of one at {@code path}, by name. */
    public Map<String, String> saidOf(String path) {
        return fields.holds() == Fields.Holds.PATH || fields.name() == null
                ? Map.of(fields.path(), path)
                : Map.of(fields.path(), notation.parentOf(path), fields.name(), notation.nameOf(path));
    }

    /**
     * What the path fields of a document say that stands at {@code path}, by name, in a fixed order. The texts are such as a
     * document carries, so they need not be {@link TreePath}s.
     *
     * @param before where it stood
     * @param follow where what stands at a path of this tree is to stand
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

    /** The path fields whose values follow from the path alone, the path field first; not those that follow their old value. */
    public List<String> computedFields() {
        return pathFields(notation.rootText(), notation.rootText(), UnaryOperator.identity()).entrySet().stream()
                .filter(field -> !(field.getValue() instanceof FieldValue.Followed))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** A text that ends with a path, with another one in its place; any other stays. */
    private String prefixed(String text, String before, String after) {
        boolean ends =
                text.equals(before) || text.endsWith(notation.leading() ? before : notation.separator() + before);
        return ends ? text.substring(0, text.length() - before.length()) + after : text;
    }
}
