package org.treerename.janitor;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.observe.Meters;
import org.treerename.observe.Metric;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;

/**
 * Audits the control index regularly, and reports the number of findings of each kind as a metric. The trees are not
 * audited, because trees may be very large. One thread runs the audits. Any thread may read the metric.
 */
final class RegularAudit {

    /** The time between two checks of whether an audit is due. */
    static final Duration TICK = Duration.ofSeconds(1);

    /**
     * The maximum pause before the first audit, and after an audit that returned findings or received no answer.
     * Janitors soon correct most findings. The pause is short, so that the metric changes soon after a correction.
     */
    static final Duration SOON = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(RegularAudit.class);

    private final Supplier<List<Finding>> audit;
    private final Duration every;
    private final Time time;
    private long begunNanos;
    private Duration pause;
    private volatile Map<String, Double> found = Map.of();

    private RegularAudit(Supplier<List<Finding>> audit, Duration every, Time time) {
        this.audit = audit;
        this.every = every;
        this.time = time;
        this.begunNanos = time.nanos();
        this.pause = soon();
    }

    /**
     * Creates the regular audit of a janitor, and registers the metric of the findings.
     *
     * @param every the time between two audits; zero for no audits
     */
    static RegularAudit of(Supplier<List<Finding>> audit, Duration every, Time time, Meters meters) {
        RegularAudit regular = new RegularAudit(audit, every, time);
        meters.showByLabel(Metric.AUDIT_FINDINGS, () -> regular.found);
        return regular;
    }

    private Duration soon() {
        return every.compareTo(SOON) < 0 ? every : SOON;
    }

    /** Runs the next audit if the pause before it is over. */
    void poll() {
        if (every.isZero() || time.nanos() - begunNanos < pause.toNanos()) {
            return;
        }
        begunNanos = time.nanos();
        pause = soon();
        try {
            List<Finding> findings = audit.get();
            found = counted(findings);
            findings.stream()
                    .filter(finding -> finding.kind().isLeak())
                    .forEach(leak -> log.warn("the audit found {}", leak.text()));
            pause = findings.isEmpty() ? every : soon();
        } catch (NoAnswerException e) {
            log.debug("the audit got no answer: {}; auditing again in about {} s", e.getMessage(), pause.toSeconds());
        }
    }

    private static Map<String, Double> counted(List<Finding> findings) {
        Map<String, Double> counted = new HashMap<>();
        Arrays.stream(Kind.values()).filter(kind -> !kind.isOfTrees()).forEach(kind -> counted.put(word(kind), 0.0));
        findings.forEach(finding -> counted.merge(word(finding.kind()), 1.0, Double::sum));
        return Map.copyOf(counted);
    }

    private static String word(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
