package org.treerename.janitor.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.treerename.janitor.process.MissingService;
import org.treerename.janitor.process.ProcessWatch;
import org.treerename.overview.ProcessSeen.Sign;

/** Examines whether workers and janitors are live. */
final class ProcessFindings {

    static final String SUBJECT = "processes";

    /** The longest time to observe heartbeats. By default, a process sends a heartbeat every five seconds. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private ProcessFindings() {}

    /**
     * Returns a warning for each service of which no process is live. A process that has died without a janitor still
     * has a document with the state live, so its heartbeat must be observed.
     */
    static List<Finding> of(ProcessWatch watch) {
        List<String> live = watch.watch(LONGEST).stream()
                .filter(process -> process.sign() == Sign.BEATING)
                .map(process -> process.document().service())
                .toList();
        List<Finding> findings = new ArrayList<>();
        MissingService.among(live)
                .forEach(missing -> findings.add(Finding.warning(SUBJECT, missing.what(), missing.mend())));
        return findings.isEmpty()
                ? List.of(Finding.ok(
                        SUBJECT,
                        "live workers: " + count(live, "worker") + ", live janitors: " + count(live, "janitor")))
                : findings;
    }

    private static long count(List<String> live, String service) {
        return live.stream().filter(service::equals).count();
    }
}
