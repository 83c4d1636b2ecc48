package org.treerename.runtime;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs the liveness checks and the readiness checks of a process. A process that is not alive should be restarted. Any
 * thread may call this class. A new check replaces the check with the same name. A process is not ready before it has
 * {@linkplain #begun begun}. A process that has begun and has no checks is alive and ready.
 */
public final class Health {

    /**
     * The results of the liveness checks or of the readiness checks, in the order in which the checks were added.
     *
     * @param failing the problem that each failed check returned, by the name of the check
     * @param notes further information that is not a failure, by the name of the note
     */
    public record Report(Map<String, String> failing, Map<String, String> notes) {

        public boolean isUp() {
            return failing.isEmpty();
        }
    }

    /** A function that returns a problem or a note as a sentence. Returns empty if there is nothing to report. */
    public interface Check extends Supplier<Optional<String>> {}

    private final Map<String, Check> alive = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Map<String, Check> ready = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Map<String, Check> notes = Collections.synchronizedMap(new LinkedHashMap<>());
    private volatile boolean hasBegun;

    public void aliveIf(String name, Check check) {
        alive.put(name, check);
    }

    public void readyIf(String name, Check check) {
        ready.put(name, check);
    }

    /** Adds a note to the readiness report. While the note is empty, the report does not contain it. */
    public void report(String name, Check note) {
        notes.put(name, note);
    }

    /** Records that the process has begun to work. Call this method after all readiness checks were added. */
    public void begun() {
        hasBegun = true;
    }

    /** Removes every check and every note. The process is not ready until {@link #begun} is called again. */
    public void clear() {
        hasBegun = false;
        notes.clear();
        alive.clear();
        ready.clear();
    }

    public Report live() {
        return new Report(found(alive), Map.of());
    }

    public Report ready() {
        boolean before = hasBegun;
        Map<String, String> failing = found(ready);
        if (!before || !hasBegun) {
            failing.put("begun", "the process has not begun to work yet");
        }
        return new Report(failing, found(notes));
    }

    private static Map<String, String> found(Map<String, Check> checks) {
        List<Map.Entry<String, Check>> all;
        synchronized (checks) {
            all = new ArrayList<>(checks.entrySet());
        }
        Map<String, String> found = new LinkedHashMap<>();
        all.forEach(check -> check.getValue().get().ifPresent(sentence -> found.put(check.getKey(), sentence)));
        return found;
    }
}
