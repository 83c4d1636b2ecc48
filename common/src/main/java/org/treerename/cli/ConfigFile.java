package org.treerename.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.treerename.runtime.SimilarName;
import org.treerename.runtime.YamlFile;

/**
 * The configuration file: one setting in each line. The name of a setting is the name of an option without the leading
 * dashes.
 *
 * <pre>{@code
 * server: https://renames.example.com
 * token-file: production.token           # relative to the folder of this file; ~/ is the home folder
 * }</pre>
 *
 * <p>Several programs may share a file. A program ignores the settings of the other programs. The file must not
 * contain a setting that belongs to no program.
 */
final class ConfigFile {

    /** The setting that selects the file. The file must not contain it. */
    private static final String SELECTING = "config";

    private final @Nullable Path file;
    private final Map<String, String> values;

    private ConfigFile(@Nullable Path file, Map<String, String> values) {
        this.file = file;
        this.values = values;
    }

    /** Returns an empty configuration, for a program that reads no file. */
    static ConfigFile none() {
        return new ConfigFile(null, Map.of());
    }

    /**
     * Reads the settings of a file.
     *
     * @param known the options of all programs
     * @throws IllegalArgumentException if the file cannot be read or is invalid; the message contains the line number
     *     if this number is known
     */
    static ConfigFile read(Path file, Settings.Known known) {
        YamlFile yaml = new YamlFile(file, "configuration file");
        Node root = yaml.root("expected YAML, found an error: ").orElse(null);
        if (root == null || root.getTag().equals(Tag.NULL)) {
            return new ConfigFile(file, Map.of());
        }
        if (!(root instanceof MappingNode mapping)) {
            throw yaml.problem(root, "expected names and values in the file, found a list or a single value");
        }
        return new ConfigFile(file, values(yaml, mapping, known));
    }

    /** Returns the value of a setting; null if there is no value. */
    @Nullable
    String value(String name) {
        return values.get(name);
    }

    /**
     * Resolves a path that the file contains. A leading {@code ~/} is replaced by the home folder. A relative path
     * without a leading {@code ~/} is relative to the folder of the file.
     */
    String resolved(String path, @Nullable String home) {
        if (path.startsWith("~/") && home != null) {
            return Path.of(home).resolve(path.substring(2)).toString();
        }
        return file == null ? path : file.toAbsolutePath().resolveSibling(path).toString();
    }

    private static Map<String, String> values(YamlFile file, MappingNode root, Settings.Known known) {
        Map<String, String> values = new LinkedHashMap<>();
        for (NodeTuple field : root.getValue()) {
            if (!(field.getKeyNode() instanceof ScalarNode key)) {
                throw file.problem(field.getKeyNode(), "expected a name, found a list or a mapping");
            }
            String name = key.getValue();
            if (values.containsKey(name)) {
                throw file.problem(key, "expected " + name + " once in the file, found it twice");
            }
            if (name.equals(SELECTING) || known.others().contains(name)) {
                throw file.problem(
                        key, "expected no setting " + name + " in the file; use the option --" + name + " instead");
            }
            if (!known.settings().contains(name)) {
                String hint = SimilarName.to(name, known.settings())
                        .map(similar -> "; did you mean " + similar + "?")
                        .orElse("");
                throw file.problem(key, "unknown setting " + name + hint);
            }
            values.put(name, text(file, key, field.getValueNode()));
        }
        return values;
    }

    private static String text(YamlFile file, ScalarNode key, Node value) {
        if (value instanceof ScalarNode scalar && !value.getTag().equals(Tag.NULL)) {
            return scalar.getValue();
        }
        throw file.problem(
                key,
                "expected one value for " + key.getValue() + ", found "
                        + (value instanceof ScalarNode ? "none" : "a list or a mapping"));
    }
}
