package org.treerename.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;

/**
 * Walks over a directory of this machine, parents before children. Does not follow symbolic links. Leaves out the
 * entries that a tree of documents cannot contain, and counts these entries.
 */
final class Walk extends SimpleFileVisitor<java.nio.file.Path> {

    /** A file or directory, and its path in the tree. */
    record Found(java.nio.file.Path file, TreePath at, BasicFileAttributes attributes) {

        boolean isDirectory() {
            return attributes.isDirectory();
        }
    }

    private final java.nio.file.Path folder;
    private final long limit;
    private final Consumer<Found> consumer;
    private final Tally tally = new Tally();
    private final Deque<TreePath> above = new ArrayDeque<>();

    private Walk(java.nio.file.Path folder, TreePath at, long limit, Consumer<Found> consumer) {
        this.folder = folder;
        this.limit = limit;
        this.consumer = consumer;
        above.push(at);
    }

    /**
     * Walks over a directory. Returns the counts.
     *
     * @param folder a directory; the walk does not report the directory itself
     * @param at the path in the tree below which the walk reports the entries
     * @param limit the largest number of reported entries
     * @param consumer receives each reported entry
     */
    static Tally over(java.nio.file.Path folder, TreePath at, long limit, Consumer<Found> consumer) {
        Walk walk = new Walk(folder, at, limit, consumer);
        try {
            Files.walkFileTree(folder, walk);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot walk over " + folder, e);
        }
        return walk.tally;
    }

    @Override
    public FileVisitResult preVisitDirectory(java.nio.file.Path directory, BasicFileAttributes attributes) {
        if (directory.equals(folder)) {
            above.push(above.getFirst());
            return FileVisitResult.CONTINUE;
        }
        Optional<TreePath> place = place(directory);
        if (place.isEmpty()) {
            return FileVisitResult.SKIP_SUBTREE;
        }
        above.push(place.get());
        return report(new Found(directory, place.get(), attributes));
    }

    @Override
    public FileVisitResult postVisitDirectory(java.nio.file.Path directory, @Nullable IOException failure) {
        if (failure != null) {
            tally.unreadable++;
        }
        above.pop();
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(java.nio.file.Path file, BasicFileAttributes attributes) {
        if (attributes.isSymbolicLink()) {
            tally.links++;
        } else if (!attributes.isRegularFile()) {
            tally.special++;
        } else {
            Optional<TreePath> place = place(file);
            if (place.isPresent()) {
                return report(new Found(file, place.get(), attributes));
            }
        }
        return FileVisitResult.CONTINUE;
    }

    /** Reports an unreadable directory, but not its content. Leaves out a file that was deleted during the walk. */
    @Override
    public FileVisitResult visitFileFailed(java.nio.file.Path file, IOException failure) throws IOException {
        if (file.equals(folder)) {
            throw failure;
        }
        tally.unreadable++;
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return FileVisitResult.CONTINUE;
        }
        Optional<TreePath> place = attributes.isDirectory() ? place(file) : Optional.empty();
        return place.isPresent() ? report(new Found(file, place.get(), attributes)) : FileVisitResult.CONTINUE;
    }

    private FileVisitResult report(Found found) {
        if (tally.documents() == limit) {
            tally.limitReached = true;
            return FileVisitResult.TERMINATE;
        }
        if (found.isDirectory()) {
            tally.directories++;
        } else {
            tally.files++;
        }
        consumer.accept(found);
        return FileVisitResult.CONTINUE;
    }

    /** Counts the entry and returns empty if its name is not valid UTF-8, or if the path exceeds a limit. */
    private Optional<TreePath> place(java.nio.file.Path file) {
        String name = file.getFileName().toString();
        String text = above.getFirst().prefixOfBelow() + name;
        boolean sameBytes = file.getFileName().equals(file.getFileSystem().getPath(name));
        if (!sameBytes || TreePath.problem(text).isPresent()) {
            tally.unnameable++;
            return Optional.empty();
        }
        return Optional.of(new TreePath(text));
    }
}
