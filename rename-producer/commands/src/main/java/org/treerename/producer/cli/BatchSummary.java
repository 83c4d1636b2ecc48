package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.treerename.request.Outcome;
import org.treerename.request.Status;

/**
 * The result of a batch, as lines for people or as one JSON object.
 *
 * @param requests the number of lines that contain a valid request
 * @param bad the number of lines that contain no valid request; these lines were not sent
 * @param interrupted whether a signal stopped the batch
 */
record BatchSummary(String batchId, long requests, long bad, Tally.Count count, boolean interrupted, Duration taken) {

    private static final double MILLIS_PER_SECOND = 1_000.0;

    long notSent() {
        return requests - count.sent();
    }

    String openAndNotSent() {
        String parked = count.parked() == 0 ? "" : " (" + count.parked() + " of them parked)";
        return count.open() + " open" + parked + ", " + notSent() + " not sent";
    }

    boolean isOver() {
        return count.ended() == requests;
    }

    int exitCode() {
        if (!isOver()) {
            return interrupted ? ExitCodes.INTERRUPTED : ExitCodes.UNKNOWN;
        }
        return count.notDone() + bad == 0 ? ExitCodes.DONE : ExitCodes.NOT_DONE;
    }

    /**
     * Returns one line for each of the first requests that did not complete, and one line with the number of requests
     * in each status.
     */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Tally.Failure failure : count.failures()) {
            lines.add("line " + failure.line() + ": " + OutcomeLine.notCompleted(failure.outcome()));
        }
        if (count.notDone() > count.failures().size()) {
            lines.add("... and " + (count.notDone() - count.failures().size())
                    + " more without success; --report FILE writes all outcomes to a file");
        }
        lines.add(String.format(
                Locale.ROOT,
                "%d %s: %d completed, %d rejected, %d failed%s%s%s%s (%.1f s)",
                requests,
                requests == 1 ? "rename" : "renames",
                count.of(Status.COMPLETED),
                count.of(Status.REJECTED),
                count.of(Status.FAILED),
                words(Status.CANCELLED) + words(Status.ABANDONED) + words(Status.OTHER),
                isOver() ? "" : ", " + openAndNotSent(),
                bad == 0 ? "" : ", " + bad + (bad == 1 ? " bad line" : " bad lines") + " left out",
                reasons(count.byReason()),
                taken.toMillis() / MILLIS_PER_SECOND));
        return lines;
    }

    private String words(Status status) {
        return count.of(status) == 0 ? "" : ", " + count.of(status) + " " + status.published();
    }

    private static String reasons(Map<String, Long> byReason) {
        return byReason.isEmpty()
                ? ""
                : "; "
                        + byReason.entrySet().stream()
                                .map(reason -> reason.getValue() + " " + reason.getKey())
                                .collect(Collectors.joining(", "));
    }

    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("batch", batchId)
                .put("renames", requests)
                .put("completed", count.of(Status.COMPLETED))
                .put("rejected", count.of(Status.REJECTED))
                .put("failed", count.of(Status.FAILED))
                .put("cancelled", count.of(Status.CANCELLED))
                .put("abandoned", count.of(Status.ABANDONED))
                .put("other", count.of(Status.OTHER))
                .put("open", count.open())
                .put("parked", count.parked())
                .put("not_sent", notSent())
                .put("bad_lines", bad)
                .put("interrupted", interrupted)
                .put("seconds", taken.toMillis() / MILLIS_PER_SECOND);
        ObjectNode reasons = json.putObject("reasons");
        count.byReason().forEach(reasons::put);
        var failures = json.putArray("failures");
        for (Tally.Failure failure : count.failures()) {
            Outcome outcome = failure.outcome();
            failures.addObject()
                    .put("line", failure.line())
                    .put("request_id", outcome.requestId())
                    .put("status", outcome.publishedStatus())
                    .put("reason", outcome.publishedReason())
                    .put("message", outcome.message());
        }
        return json;
    }
}
