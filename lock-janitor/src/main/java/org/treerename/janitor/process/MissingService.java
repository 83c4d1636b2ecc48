package org.treerename.janitor.process;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A service that must run, but of which no process is live.
 *
 * @param what the fact and its consequence
 * @param mend the action that corrects the problem
 */
public record MissingService(String what, String mend) {

    /**
     * Returns the services of which no process is live.
     *
     * @param live the services of all live processes
     */
    public static List<MissingService> among(Collection<String> live) {
        List<MissingService> missing = new ArrayList<>();
        if (!live.contains("worker")) {
            missing.add(new MissingService("no worker is live, so requests wait in Kafka", "start a worker"));
        }
        if (!live.contains("janitor")) {
            missing.add(new MissingService(
                    "no janitor is live, so the renames of dead processes keep their locks", "start a janitor"));
        }
        return missing;
    }

    @Override
    public String toString() {
        return what + "; " + mend;
    }
}
