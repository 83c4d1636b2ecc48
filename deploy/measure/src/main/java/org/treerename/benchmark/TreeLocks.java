package org.treerename.benchmark;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The locks of one rename, calculated without any code of tree rename. The source and the destination have exclusive
 * locks. Every directory above the source or the destination, except the root, has a shared lock.
 *
 * @param namespace the namespace of both paths
 */
record TreeLocks(String namespace, String source, String destination) {

    /**
     * The mode of a lock. Several renames may hold a shared lock at the same time. Only one rename may hold an
     * exclusive lock.
     */
    enum Mode {
        SHARED,
        EXCLUSIVE
    }

    /**
     * Returns the mode of the lock on each path. The paths are sorted, so a directory comes before the paths below this
     * directory.
     */
    SortedMap<String, Mode> modes() {
        SortedMap<String, Mode> modes = new TreeMap<>();
        for (String path : new String[] {source, destination}) {
            for (int end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
                modes.put(path.substring(0, end), Mode.SHARED);
            }
        }
        modes.put(source, Mode.EXCLUSIVE);
        modes.put(destination, Mode.EXCLUSIVE);
        return Collections.unmodifiableSortedMap(modes);
    }
}
