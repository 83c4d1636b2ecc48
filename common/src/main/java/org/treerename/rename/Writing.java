package org.treerename.rename;

import java.util.List;
import org.treerename.lock.LockSet;
import org.treerename.path.Path;

/**
 * What somebody writes into who takes part in the locks.
 *
 * @param directories their paths, 1 to {@value #MOST_DIRECTORIES}
 */
public record Writing(String namespace, List<String> directories) {

    /** So that one hold's locks, at the depths that people use, fill no request. */
    public static final int MOST_DIRECTORIES = 100;

    public Writing {
        directories = List.copyOf(directories);
        if (directories.isEmpty() || directories.size() > MOST_DIRECTORIES) {
            throw new IllegalArgumentException(
                    "a writer locks 1 to " + MOST_DIRECTORIES + " directories at once, found " + directories.size());
        }
    }

    /**
     * The locks that it needs.
     *
     * @throws IllegalArgumentException if a directory's path is none
     */
    public LockSet lockSet() {
        return LockSet.writing(namespace, directories.stream().map(Path::new).toList());
    }

    @Override
    public String toString() {
        return String.join(", ", directories) + " in " + namespace;
    }
}
