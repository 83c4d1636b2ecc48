package org.treerename.janitor.proposal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.NamespaceFile;
import org.treerename.runtime.YamlFile;

/**
 * Adds a definition of a namespace to a file, or replaces a definition in the file. All other lines of the file,
 * including the comments, remain unchanged. Before the new content replaces the file, this class checks the definitions
 * in the new content.
 */
public final class DefinitionFile {

    /** The effect of a change on the file. */
    public enum Result {
        CREATED("is created with the definition"),
        EXTENDED("has one more definition"),
        REPLACED("contains a new definition of the namespace"),
        UNCHANGED("contains this definition already; the file is not changed");

        private final String words;

        Result(String words) {
            this.words = words;
        }

        /**
         * Returns the words that follow the name of the file in a sentence, for example {@code has one more
         * definition}.
         */
        public String inWords() {
            return words;
        }
    }

    /**
     * A planned change to the file.
     *
     * @param lines the lines of the file after the change
     * @param expected the definitions of the file after the change
     */
    public record Change(Result result, List<String> lines, List<Namespace> expected) {}

    private static final String HEAD = "namespaces:";

    /** Every user may read the file, because the user of a service may differ from the owner of the file. */
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    private final Path file;

    public DefinitionFile(Path file) {
        this.file = file;
    }

    /**
     * Returns the change that adds a definition or replaces it. This method does not write the file.
     *
     * @param replace whether an existing definition of this namespace may be replaced
     * @throws IllegalArgumentException if the file is invalid, or if its content does not permit this change
     */
    public Change plan(Namespace namespace, boolean replace) {
        if (!Files.exists(file)) {
            List<String> lines = new ArrayList<>(List.of(HEAD));
            lines.addAll(DefinitionText.lines(namespace, 2));
            return new Change(Result.CREATED, lines, List.of(namespace));
        }
        List<Namespace> present = NamespaceFile.read(file);
        if (present.contains(namespace)) {
            return new Change(Result.UNCHANGED, List.of(), present);
        }
        Optional<Namespace> other = present.stream()
                .filter(one ->
                        one.index().equals(namespace.index()) && !one.name().equals(namespace.name()))
                .findFirst();
        if (other.isPresent()) {
            throw new IllegalArgumentException(file + ": the namespace "
                    + other.get().name() + " already uses the index " + namespace.index()
                    + "; use --namespace " + other.get().name() + ", or another file");
        }
        int at = present.stream().map(Namespace::name).toList().indexOf(namespace.name());
        if (at >= 0 && !replace) {
            throw new IllegalArgumentException(file + " contains a different definition of the namespace "
                    + namespace.name()
                    + "; use --force to replace it, or --namespace to define another namespace");
        }
        return at < 0 ? extended(present, namespace) : replaced(present, namespace, at);
    }

    private Change extended(List<Namespace> present, Namespace namespace) {
        List<String> lines = new ArrayList<>(lines());
        SequenceNode list = list();
        lines.addAll(last(list) + 1, DefinitionText.lines(namespace, begin(list).getColumn()));
        List<Namespace> expected = new ArrayList<>(present);
        expected.add(namespace);
        return new Change(Result.EXTENDED, lines, expected);
    }

    private Change replaced(List<Namespace> present, Namespace namespace, int at) {
        List<String> lines = new ArrayList<>(lines());
        SequenceNode list = list();
        Node element = list.getValue().get(at);
        int first = begin(element).getLine();
        while (!lines.get(first).strip().startsWith("-")) {
            first--;
        }
        int end = last(element) + 1;
        lines.subList(first, end).clear();
        lines.addAll(first, DefinitionText.lines(namespace, begin(list).getColumn()));
        List<Namespace> expected = new ArrayList<>(present);
        expected.set(at, namespace);
        return new Change(Result.REPLACED, lines, expected);
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private SequenceNode list() {
        Node root = new YamlFile(file, "file of namespaces").root("not YAML: ").orElseThrow();
        if (root instanceof MappingNode mapping) {
            for (NodeTuple field : mapping.getValue()) {
                if (field.getValueNode() instanceof SequenceNode list
                        && list.getFlowStyle() == FlowStyle.BLOCK
                        && !list.getValue().isEmpty()) {
                    return list;
                }
            }
        }
        throw new IllegalArgumentException(file
                + ": expected a list of definitions that begin with a dash, found another form of YAML; add the"
                + " definition by hand, or use another file");
    }

    private static Mark begin(Node node) {
        return node.getStartMark().orElseThrow();
    }

    /** For the parser, the comments after a block belong to the block, so this method looks at its last value. */
    private static int last(Node node) {
        if (node instanceof SequenceNode list
                && list.getFlowStyle() == FlowStyle.BLOCK
                && !list.getValue().isEmpty()) {
            return last(list.getValue().getLast());
        }
        if (node instanceof MappingNode mapping
                && mapping.getFlowStyle() == FlowStyle.BLOCK
                && !mapping.getValue().isEmpty()) {
            return last(mapping.getValue().getLast().getValueNode());
        }
        Mark end = node.getEndMark().orElseThrow();
        return end.getColumn() == 0 && end.getLine() > begin(node).getLine() ? end.getLine() - 1 : end.getLine();
    }

    /**
     * Writes a planned change to the file. If this process dies, the file contains either the old or the new content.
     *
     * @throws IllegalArgumentException if the new content would not have the expected definitions; the file is
     *     unchanged
     */
    public void write(Change change) {
        if (change.result() == Result.UNCHANGED) {
            return;
        }
        try {
            // a move to a symbolic link would replace the link, not the file
            Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            Path temporary = Files.createTempFile(target.getParent(), "namespaces", ".yaml.tmp");
            try {
                Files.write(temporary, change.lines());
                if (!NamespaceFile.read(temporary).equals(change.expected())) {
                    throw new IllegalArgumentException(
                            "cannot add the definition to " + file + ", because the file would not contain exactly the"
                                    + " expected definitions; add the definition by hand");
                }
                Files.setPosixFilePermissions(
                        temporary, Files.exists(file) ? Files.getPosixFilePermissions(file) : READABLE);
                Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot write " + file + ": " + e, e);
        }
    }
}
