package org.treerename.producer.reader;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Fields.Holds;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.CommittedRename.Replaced;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;

/**
 * A random tree during several renames, and the same tree after these renames. Each rename has moved some of its
 * documents.
 */
public final class HalfMovedTree {

    private static final List<String> NAMES = List.of("a", "b", "a!", "a.b", "c\uD83D\uDE00", "c\uFFFD", "d");

    public final Namespace namespace;
    public final List<CommittedRename> renames = new ArrayList<>();

    /** The documents during the renames, with their stored paths. */
    public final List<Document> documents = new ArrayList<>();

    /** The paths of the documents after the renames, by document id. */
    public final Map<String, String> paths = new TreeMap<>();

    private final Random random;

    public HalfMovedTree(long seed) {
        this(seed, "files");
    }

    /** Creates a tree for an index. The test puts the documents of the tree into this index. */
    public HalfMovedTree(long seed, String index) {
        this.random = new Random(seed);
        this.namespace = seed % 2 == 0 ? slashes(index) : dots(index);
        Set<TreePath> before = tree();
        chooseRenames(before);
        for (TreePath path : before) {
            for (int i = random.nextInt(8) == 0 ? 2 : 1; i > 0; i--) {
                put(path);
            }
        }
    }

    private static Namespace slashes(String index) {
        return Namespace.ofFiles("files", index);
    }

    /**
     * Returns a namespace that separates names by dots and quotes names that contain a dot. The path field contains the
     * directory.
     */
    private static Namespace dots(String index) {
        Fields fields = new Fields("place", Holds.DIRECTORY, null, "name", "depth", "above", List.of());
        return new Namespace("dots", index, new Notation(".", false, true), fields, null, Rules.DEFAULT);
    }

    /** Returns random paths. The result does not always contain the parent of a path. */
    private Set<TreePath> tree() {
        Set<TreePath> tree = new HashSet<>();
        for (int i = 0; i < 30; i++) {
            tree.add(randomPath());
        }
        return tree;
    }

    public TreePath randomPath() {
        TreePath path = namespace.notation().root();
        for (int depth = 1 + random.nextInt(4); depth > 0; depth--) {
            path = path.child(NAMES.get(random.nextInt(NAMES.size())));
        }
        return path;
    }

    private void chooseRenames(Set<TreePath> tree) {
        for (int tries = 0; tries < 12 && renames.size() < 4; tries++) {
            TreePath source = randomPath();
            TreePath destination = randomPath();
            boolean isFree = tree.stream().noneMatch(path -> path.isBelow(destination));
            CommittedRename rename = new CommittedRename(
                    "r" + tries, source, destination, replaced(tree, destination), new Version(tries, 1));
            if (isFree
                    && !CommittedRename.areRelated(source, destination)
                    && renames.stream().noneMatch(rename::isRelatedTo)) {
                renames.add(rename);
            }
        }
    }

    private List<Replaced> replaced(Set<TreePath> tree, TreePath destination) {
        return tree.contains(destination)
                ? List.of(
                        new Replaced(namespace.index(), "at " + destination + " 0"),
                        new Replaced(namespace.index(), "at " + destination + " 1"))
                : List.of();
    }

    private void put(TreePath path) {
        String id = "at " + path + " "
                + documents.stream()
                        .filter(document -> document.ref().id().startsWith("at " + path + " "))
                        .count();
        String stored = path.text();
        String logical = path.text();
        for (CommittedRename rename : renames) {
            if (path.isAtOrBelow(rename.source())) {
                logical = rename.destination().text()
                        + path.text().substring(rename.source().text().length());
                stored = random.nextBoolean() ? logical : stored;
            }
        }
        boolean isReplaced =
                renames.stream().anyMatch(rename -> rename.replaced().contains(new Replaced(namespace.index(), id)));
        if (!isReplaced) {
            paths.put(id, logical);
        } else if (random.nextBoolean()) {
            return;
        }
        documents.add(new Document(
                new Document.Ref(namespace.index(), id, null, new Version(1, 1)), stored, RawJson.of(source(stored))));
    }

    /** Returns the JSON source of a document at a path. */
    public String source(String path) {
        Notation notation = namespace.notation();
        return namespace.fields().holds() == Holds.PATH
                ? "{\"path\":\"%s\",\"parent\":\"%s\",\"name\":\"%s\",\"n\":1.00}"
                        .formatted(escaped(path), escaped(notation.parentOf(path)), escaped(notation.nameOf(path)))
                : "{\"place\":\"%s\",\"name\":\"%s\",\"depth\":%d}"
                        .formatted(
                                escaped(notation.parentOf(path)),
                                escaped(notation.nameOf(path)),
                                notation.depthOf(path));
    }

    private static String escaped(String text) {
        return text.replace("\"", "\\\"");
    }
}
