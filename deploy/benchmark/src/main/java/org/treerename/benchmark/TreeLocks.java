package org.treerename.benchmark;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The locks of one rename, without any code of the engine: exclusive on source and destination, shared on every directory
 * above them but the root.
 *
 * @param namespace in which both paths are
 */
record TreeLocks(String namespace, String source, String destination) {

    /** How a path is locked. */
    enum Mode {
        SHARED,
        EXCLUSIVE
    }

    /** Returns the mode of each path; a directory comes before what is in it. */
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
