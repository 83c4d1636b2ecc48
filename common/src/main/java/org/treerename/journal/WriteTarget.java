package org.treerename.journal;

import java.util.List;
import java.util.Optional;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.path.Notation;

/**
 * The directories that a writer locks and writes into.
 *
 * @param directories the paths of 1 to {@value #MOST_DIRECTORIES} directories
 */
public record WriteTarget(String namespace, List<String> directories) {

    /**
     * The maximum number of directories. With this maximum, the locks of one hold fit into one request, unless the
     * paths are very long.
     */
    public static final int MOST_DIRECTORIES = 100;

    public WriteTarget {
        directories = List.copyOf(directories);
        if (directories.isEmpty() || directories.size() > MOST_DIRECTORIES) {
            throw new IllegalArgumentException("a writer must lock 1 to " + MOST_DIRECTORIES
                    + " directories at once, found " + directories.size());
        }
    }

    /** Returns the locks that the writer needs; empty if a directory is not a valid path. */
    public Optional<LockSet> lockSet(LockPolicy locking) {
        Notation notation = locking.notation();
        return problem(notation).isPresent()
                ? Optional.empty()
                : Optional.of(locking.ofWriter(
                        namespace, directories.stream().map(notation::path).toList()));
    }

    /** Returns the problem of the first directory that is not a valid path; empty if all paths are valid. */
    public Optional<String> problem(Notation notation) {
        return directories.stream()
                .flatMap(directory -> notation.problem(directory).stream())
                .findFirst();
    }

    @Override
    public String toString() {
        return String.join(", ", directories) + " in " + namespace;
    }
}
