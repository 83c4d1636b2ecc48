package org.treerename.benchmark;

import java.util.HashMap;
import java.util.Map;

/** The directories that benchmarks have made so far, so that the next one uses them again. One thread calls it. */
final class Directories {

    private final Stage stage;
    private final Progress progress;
    private final Map<Moving.Key, Moving> made = new HashMap<>();

    Directories(Stage stage, Progress progress) {
        this.stage = stage;
        this.progress = progress;
    }

    /** Returns the directory, which is made when it is first asked for. */
    Moving of(Moving.Key key) {
        return made.computeIfAbsent(key, missing -> Moving.create(stage, progress, missing));
    }
}
