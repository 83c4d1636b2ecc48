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
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.overview.OverviewJson;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Runs audits on request. An audit is expensive, so all requests share one audit, and there is a pause after each
 * audit. One thread {@linkplain #poll runs} the audits. Any thread may request an audit and read the last result.
 */
final class AuditJob {

    /** The shortest time from the end of one audit to the beginning of the next. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    /** The maximum number of findings that are shown. */
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

    /** Requests an audit. The request has no effect while an audit runs, or if an audit has just ended. */
    synchronized void want() {
        wanted = true;
    }

    /** Runs an audit if one was requested. */
    void poll() {
        if (!begun()) {
            return;
        }
        Instant begunAt = time.now();
        try {
            ended(audit.get(), begunAt, null);
        } catch (NoAnswerException | RefusedException e) {
            log.debug("the audit failed: {}; the console shows the findings of the previous audit", e.getMessage());
            ended(findings(), null, "no answer from Elasticsearch, or a refused request");
        } catch (RuntimeException e) {
            log.error("the audit failed; the console shows the findings of the previous audit", e);
            ended(findings(), null, "internal error; see the log of the janitor");
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

    /** Returns the start time and the findings of the last audit; {@code at} is null if there was no audit. */
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
