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
import org.treerename.metrics.Meters;
import org.treerename.metrics.Metric;
import org.treerename.rename.Audit.Finding;
import org.treerename.rename.Audit.Kind;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;

/**
 * Audits the control index now and then, and tells how much of each kind was found. The trees are left out: they are as large as
 * what they hold. One thread looks, any thread may ask.
 */
final class RegularAudit {

    /** From one look at whether it is time to the next. */
    static final Duration TICK = Duration.ofSeconds(1);

    /** The first audit comes soon, and so does the next where one found something, or had no answer: janitors mend what they find. */
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
     * From now on it is that of the process.
     *
     * @param every from one audit to the next; zero for never
     */
    static RegularAudit of(Supplier<List<Finding>> audit, Duration every, Time time, Meters meters) {
        RegularAudit regular = new RegularAudit(audit, every, time);
        meters.showByLabel(Metric.AUDIT_FINDINGS, () -> regular.found);
        return regular;
    }

    private Duration soon() {
        return every.compareTo(SOON) < 0 ? every : SOON;
    }

    /** Audits if it is time to. */
    void look() {
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
            log.debug("no audit: {}", e.getMessage());
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
