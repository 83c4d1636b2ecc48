package org.treerename.benchmark;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Reads the processor time of the processes that take part in a measurement, by role. All processes must run from the
 * first reading to the last reading. If a process ends before the last reading, its processor time is unknown, and the
 * measurement fails with an exception.
 */
final class ProcessorTime {

    private final Supplier<Map<Role, ? extends Collection<Long>>> processes;
    private final LongFunction<Duration> timeOf;

    /**
     * Creates an instance that reads the times of this machine.
     *
     * @param processes returns the process ids by role; each reading calls this function again
     */
    ProcessorTime(Supplier<Map<Role, ? extends Collection<Long>>> processes) {
        this(processes, ProcessorTime::ofProcess);
    }

    ProcessorTime(Supplier<Map<Role, ? extends Collection<Long>>> processes, LongFunction<Duration> timeOf) {
        this.processes = processes;
        this.timeOf = timeOf;
    }

    private static Duration ofProcess(long pid) {
        return ProcStat.of(pid)
                .map(ProcStat::processor)
                .orElseThrow(() -> new IllegalStateException(
                        "process " + pid + " ended during the measurement of its processor time"));
    }

    /** One reading: the role of each process, and the processor time that each process has used so far. */
    record Reading(Map<Long, Role> roles, Map<Long, Duration> times) {

        /**
         * Returns the processor time that each role has used since an earlier reading.
         *
         * @throws IllegalStateException if the two readings contain different processes
         */
        Map<Role, Duration> since(Reading earlier) {
            if (!roles.equals(earlier.roles)) {
                throw new IllegalStateException(
                        "expected the processes " + earlier.roles + " at the end of a measurement, found " + roles);
            }
            Map<Role, Duration> used = new EnumMap<>(Role.class);
            for (Role role : Role.values()) {
                used.put(role, Duration.ZERO);
            }
            times.forEach((pid, time) -> {
                Duration before = earlier.times.getOrDefault(pid, Duration.ZERO);
                used.merge(roles.getOrDefault(pid, Role.CLIENT), time.minus(before), Duration::plus);
            });
            return used;
        }
    }

    /** Reads the processor times of all processes that take part in the measurement. */
    Reading read() {
        Map<Long, Role> roles = new TreeMap<>();
        Map<Long, Duration> times = new TreeMap<>();
        processes
                .get()
                .forEach((role, pids) -> List.copyOf(pids).forEach(pid -> {
                    roles.put(pid, role);
                    times.put(pid, timeOf.apply(pid));
                }));
        return new Reading(roles, times);
    }
}
