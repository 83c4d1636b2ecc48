package org.treerename.producer.reader;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.Region.Part;

/**
 * Maps the stored tree to the tree that a reader sees. In the tree of the reader, every committed rename has moved its
 * documents. The renames are disjoint, because their locks exclude each other. So at most one rename moves a document.
 * The logical path of a moved document is the stored path, in which the destination of the rename replaces the source.
 * The logical path of every other document is the stored path.
 */
public final class Overlay {

    private final Notation notation;
    private final List<CommittedRename> renames;

    public Overlay(Notation notation, List<CommittedRename> renames) {
        this.notation = notation;
        this.renames = renames.stream()
                .filter(rename -> !rename.changesNothing())
                .sorted(Comparator.comparing(CommittedRename::destination))
                .toList();
    }

    public List<CommittedRename> renames() {
        return renames;
    }

    /** Returns the rename that moves a document at this stored path. */
    public Optional<CommittedRename> moving(String stored) {
        return renames.stream().filter(rename -> rename.moves(stored)).findFirst();
    }

    /** Returns the logical path of a document at this stored path. */
    public String logical(String stored) {
        return moving(stored).map(rename -> rename.followed(stored)).orElse(stored);
    }

    /**
     * Returns the regions of stored documents whose logical path is in reach of a path. No two regions contain the same
     * document.
     */
    public List<Region> regions(TreePath path, Reach reach) {
        List<Region> regions = new ArrayList<>();
        if (renames.stream().noneMatch(rename -> path.isAtOrBelow(rename.source()))) {
            regions.add(unmoved(path, reach));
        }
        for (CommittedRename rename : renames) {
            part(rename, path, reach)
                    .map(part -> new Region(part, rename, List.of(), List.of()))
                    .ifPresent(regions::add);
        }
        return regions;
    }

    private Region unmoved(TreePath path, Reach reach) {
        List<Part> without = renames.stream()
                .map(CommittedRename::source)
                .filter(source -> source.isBelow(path))
                .flatMap(source -> excluded(source, path, reach).stream())
                .toList();
        List<CommittedRename> replacing = renames.stream()
                .filter(rename -> rename.destination().isAtOrBelow(path))
                .filter(rename -> !rename.replaced().isEmpty())
                .toList();
        return new Region(new Part(path, reach), null, without, replacing);
    }

    /** Returns the part that is in reach of a path and at or below a source. The source must be below the path. */
    private static Optional<Part> excluded(TreePath source, TreePath path, Reach reach) {
        return switch (reach) {
            case EXACTLY -> Optional.empty();
            case DIRECTLY_BELOW ->
                source.parent().equals(path) ? Optional.of(new Part(source, Reach.EXACTLY)) : Optional.empty();
            case BELOW, AT_OR_BELOW -> Optional.of(new Part(source, Reach.AT_OR_BELOW));
        };
    }

    /** Returns the part of the stored tree that one rename moves into reach of a path. */
    private Optional<Part> part(CommittedRename rename, TreePath path, Reach reach) {
        TreePath destination = rename.destination();
        if (path.isAtOrBelow(destination)) {
            String stored = rename.before(path);
            // a stored path never exceeds the limits of a path, so there are no documents at an invalid path
            return notation.problem(stored).isPresent()
                    ? Optional.empty()
                    : Optional.of(new Part(notation.path(stored), reach));
        }
        if (!destination.isBelow(path)) {
            return Optional.empty();
        }
        return switch (reach) {
            case EXACTLY -> Optional.empty();
            case DIRECTLY_BELOW ->
                destination.parent().equals(path)
                        ? Optional.of(new Part(rename.source(), Reach.EXACTLY))
                        : Optional.empty();
            case BELOW, AT_OR_BELOW -> Optional.of(new Part(rename.source(), Reach.AT_OR_BELOW));
        };
    }
}
