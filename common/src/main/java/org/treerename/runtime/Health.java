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
 * it; a check that is added under the name of another takes its place. Without checks all is well.
 */
public final class Health {

    /** What a look found: what fails, and why, in the order in which the checks were added. */
    public record Report(Map<String, String> failing) {

        public boolean isUp() {
            return failing.isEmpty();
        }
    }

    /** Says in words what is wrong; empty where nothing is. */
    public interface Check extends Supplier<Optional<String>> {}

    private final Map<String, Check> alive = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Map<String, Check> ready = Collections.synchronizedMap(new LinkedHashMap<>());

    public void aliveIf(String name, Check check) {
        alive.put(name, check);
    }

    public void readyIf(String name, Check check) {
        ready.put(name, check);
    }

    /** Forgets every check. */
    public void clear() {
        alive.clear();
        ready.clear();
    }

    public Report live() {
        return report(alive);
    }

    public Report ready() {
        return report(ready);
    }

    private static Report report(Map<String, Check> checks) {
        List<Map.Entry<String, Check>> all;
        synchronized (checks) {
            all = new ArrayList<>(checks.entrySet());
        }
        Map<String, String> failing = new LinkedHashMap<>();
        all.forEach(check -> check.getValue().get().ifPresent(problem -> failing.put(check.getKey(), problem)));
        return new Report(failing);
    }
}
