package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.path.Notation;

/**
 * What somebody writes into who takes part in the locks.
 *
 * @param directories their paths, 1 to {@value #MOST_DIRECTORIES}
 */
public record WriteTarget(String namespace, List<String> directories) {

    /** So that one hold's locks, at the depths that people use, fill no request. */
    public static final int MOST_DIRECTORIES = 100;

    public WriteTarget {
        directories = List.copyOf(directories);
        if (directories.isEmpty() || directories.size() > MOST_DIRECTORIES) {
            throw new IllegalArgumentException(
                    "a writer locks 1 to " + MOST_DIRECTORIES + " directories at once, found " + directories.size());
        }
    }

    /** The locks that it needs; empty where a directory's path is none. */
    public Optional<LockSet> lockSet(LockPolicy locking) {
        Notation notation = locking.notation();
        return problem(notation).isPresent()
                ? Optional.empty()
                : Optional.of(locking.ofWriter(
                        namespace, directories.stream().map(notation::path).toList()));
    }

    /** What keeps the first directory whose path is none from having one; empty if each has. */
    Optional<String> problem(Notation notation) {
        return directories.stream()
                .flatMap(directory -> notation.problem(directory).stream())
                .findFirst();
    }

    @Override
    public String toString() {
        return String.join(", ", directories) + " in " + namespace;
    }
}
