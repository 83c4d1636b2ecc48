package org.treerename.reader;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.reader.Region.Part;

/**
 * The tree as it is when every committed rename has moved its documents, over the tree as it is stored. The renames are disjoint: their locks
 * exclude each other. So each document follows one rename at most, and its logical path is its stored path with the source of that rename
 * replaced by the destination.
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

    /** Returns the rename that a document at this stored path follows. */
    public Optional<CommittedRename> moving(String stored) {
        return renames.stream().filter(rename -> rename.moves(stored)).findFirst();
    }

    /** Returns where a document at this stored path is in the tree that a reader sees. */
    public String logical(String stored) {
        return moving(stored).map(rename -> rename.followed(stored)).orElse(stored);
    }

    /** Returns the stored documents of which the logical path is in reach of a path. No document is in two of the regions. */
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

    /** What is in reach of the path and at or below a source that is below the path. */
    private static Optional<Part> excluded(TreePath source, TreePath path, Reach reach) {
        return switch (reach) {
            case EXACTLY -> Optional.empty();
            case DIRECTLY_BELOW ->
                source.parent().equals(path) ? Optional.of(new Part(source, Reach.EXACTLY)) : Optional.empty();
            case BELOW, AT_OR_BELOW -> Optional.of(new Part(source, Reach.AT_OR_BELOW));
        };
    }

    /** The documents that one rename moves into reach of the path. */
    private Optional<Part> part(CommittedRename rename, TreePath path, Reach reach) {
        TreePath destination = rename.destination();
        if (path.isAtOrBelow(destination)) {
            String stored = rename.before(path);
            // where no path is that long, no document is
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
