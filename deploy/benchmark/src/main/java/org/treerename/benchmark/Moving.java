package org.treerename.benchmark;

import java.util.List;
import java.util.Locale;
import org.treerename.benchmark.Rounds.Side;

/** A directory that goes back and forth. One thread calls it. */
final class Moving {

    private static final String HERE = "/tree/here";
    private static final String THERE = "/tree/there";
    private static final String OF = " of ";

    private final Tree tree;
    private final int documents;
    private String at = HERE;

    private Moving(Tree tree, int documents) {
        this.tree = tree;
        this.documents = documents;
    }

    static Moving create(Setting setting, int documents, int shards) {
        setting.progress().tell("making a directory of " + documents + " documents");
        Tree tree = Tree.create(setting.stage(), "tree-" + documents, shards);
        tree.directories("/tree").fill(HERE, documents);
        return new Moving(tree, documents);
    }

    /** Renames one path into another; how many documents moved. */
    interface Way {
        long move(String from, String to) throws Exception;
    }

    /** A side that moves it once, to where it is not, and gives the seconds; the settling before does not count. */
    Side side(Setting setting, String name, Way way) {
        return new Side(side(name), "s", () -> {
            String to = at.equals(HERE) ? THERE : HERE;
            tree.settle();
            double seconds = setting.seconds(() -> requireAll(name, way.move(at, to)));
            tree.settle();
            requireAll(name, tree.count(to));
            at = to;
            return seconds;
        });
    }

    private void requireAll(String name, long moved) {
        if (moved != documents) {
            throw new IllegalStateException(name + ": expected " + documents + " documents to move, found " + moved);
        }
    }

    String name() {
        return tree.name();
    }

    int documents() {
        return documents;
    }

    String counted() {
        return String.format(Locale.ROOT, "%,d", documents);
    }

    /** The name of a side that tells whose it is. */
    String side(String name) {
        return name + OF + counted();
    }

    boolean owns(String side) {
        return side.endsWith(OF + counted());
    }

    /** The name of a side of this one alone. */
    String plain(String side) {
        return side.substring(0, side.length() - counted().length() - OF.length());
    }

    List<Double> perSecond(List<Double> seconds) {
        return seconds.stream().map(taken -> documents / taken).toList();
    }
}
