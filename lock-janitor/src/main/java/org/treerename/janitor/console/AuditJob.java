package org.treerename.janitor.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.overview.OverviewJson;
import org.treerename.rename.Audit.Finding;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * The audit, which costs: only when somebody wants one, one for all who do, and none soon after another. One thread
 * {@linkplain #look looks} whether one is wanted; any thread may want one, and see the last.
 */
final class AuditJob {

    /** From the end of one to the beginning of the next. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    /** Findings that are shown. */
    static final int MOST = 500;

    private static final Logger log = LoggerFactory.getLogger(AuditJob.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Supplier<List<Finding>> audit;
    private final Time time;
    private boolean wanted;
    private boolean running;
    private @Nullable Long endedNanos;
    private @Nullable Instant at;
    private List<Finding> findings = List.of();
    private @Nullable String problem;

    AuditJob(Supplier<List<Finding>> audit, Time time) {
        this.audit = audit;
        this.time = time;
    }

    /** There will be one, unless one runs or has just ended. */
    synchronized void want() {
        wanted = true;
    }

    /** Audits if it is wanted. */
    void look() {
        if (!begun()) {
            return;
        }
        Instant begunAt = time.now();
        try {
            ended(audit.get(), begunAt, null);
        } catch (NoAnswerException | RefusedException e) {
            log.debug("no audit: {}", e.getMessage());
            ended(findings(), null, "there was no answer");
        } catch (RuntimeException e) {
            log.error("the audit failed", e);
            ended(findings(), null, "this is a defect: the log of the janitor tells more");
        }
    }

    private synchronized boolean begun() {
        boolean isSoon = endedNanos != null && time.nanos() - endedNanos < PAUSE.toNanos();
        running = wanted && !isSoon;
        wanted = false;
        return running;
    }

    private synchronized List<Finding> findings() {
        return findings;
    }

    private synchronized void ended(List<Finding> found, @Nullable Instant begunAt, @Nullable String why) {
        running = false;
        endedNanos = time.nanos();
        findings = List.copyOf(found);
        at = begunAt == null ? at : begunAt;
        problem = why;
    }

    /** When the last one began, and what it found; {@code at} is null where there was none. */
    synchronized ObjectNode shown() {
        ObjectNode json = MAPPER.createObjectNode()
                .put("running", running || wanted)
                .put("at", at == null ? null : at.toString())
                .put("problem", problem)
                .put("pause_seconds", PAUSE.toSeconds())
                .put("found", findings.size());
        ArrayNode array = json.putArray("findings");
        findings.stream()
                .limit(MOST)
                .forEach(finding -> array.addObject()
                        .put("kind", OverviewJson.word(finding.kind()))
                        .put("leak", finding.kind().isLeak())
                        .put("text", finding.text()));
        return json;
    }
}
