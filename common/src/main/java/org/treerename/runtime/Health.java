package org.treerename.runtime;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether a process is alive, in that starting it anew would help nobody, and whether it is ready to work. Any thread may call
 * it; a check that is added under the name of another takes its place. A process is not ready before it has {@linkplain #begun
 * begun}; from then on, without checks, all is well.
 */
public final class Health {

    /**
     * What a look found, each in the order in which it was added.
     *
     * @param failing what fails, and why
     * @param notes what else is to be known, and is no failure
     */
    public record Report(Map<String, String> failing, Map<String, String> notes) {

        public boolean isUp() {
            return failing.isEmpty();
        }
    }

    /** Says in words what is wrong, or to be known; empty where nothing is. */
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

    /** Has a look at whether it is ready tell something besides, where there is something to tell. */
    public void tell(String name, Check note) {
        notes.put(name, note);
    }

    /** The process works from now on. Whatever else it is not to be ready without is checked already. */
    public void begun() {
        hasBegun = true;
    }

    /** It begins anew: forgets every check, and what else is told. */
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
        all.forEach(check -> check.getValue().get().ifPresent(words -> found.put(check.getKey(), words)));
        return found;
    }
}
