package org.treerename.benchmark;

import java.util.HashMap;
import java.util.Map;

/**
 * Creates each directory only once, because several benchmarks use the same directory. Only one thread calls this
 * class.
 */
final class Directories {

    private final Stage stage;
    private final Progress progress;
    private final Map<Moving.Key, Moving> made = new HashMap<>();

    Directories(Stage stage, Progress progress) {
        this.stage = stage;
        this.progress = progress;
    }

    /** Returns a directory. Creates the directory if no benchmark has used it before. */
    Moving of(Moving.Key key) {
        return made.computeIfAbsent(key, missing -> Moving.create(stage, progress, missing));
    }
}
