package org.treerename.benchmark;

import java.util.HashMap;
import java.util.Map;

/** The directories that the benchmarks have created. Later benchmarks use them again. One thread calls it. */
final class Directories {

    private final Stage stage;
    private final Progress progress;
    private final Map<Moving.Key, Moving> made = new HashMap<>();

    Directories(Stage stage, Progress progress) {
        this.stage = stage;
        this.progress = progress;
    }

    /** Returns the directory. It is created at its first use. */
    Moving of(Moving.Key key) {
        return made.computeIfAbsent(key, missing -> Moving.create(stage, progress, missing));
    }
}
