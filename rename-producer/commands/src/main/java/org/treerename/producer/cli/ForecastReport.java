package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.treerename.producer.forecast.Forecast;
import org.treerename.producer.forecast.Forecast.Obstacle;
import org.treerename.producer.forecast.Forecast.Wait;
import org.treerename.producer.forecast.Pace;
import org.treerename.request.ParsedRequest.RenameRequest;

/** Formats a forecast as lines for people, or as one JSON object. */
public final class ForecastReport {

    private static final double MILLIS_PER_SECOND = 1_000.0;

    private ForecastReport() {}

    static List<String> lines(RenameRequest request, Forecast forecast) {
        List<String> lines = new ArrayList<>();
        Pace pace = forecast.pace();
        if (pace != null) {
            lines.add("would rename " + OutcomeLine.printable(request.source()) + " to "
                    + OutcomeLine.printable(request.destination()) + ": " + documents(forecast));
        }
        for (Obstacle obstacle : forecast.obstacles()) {
            lines.add("would be " + obstacle.status().published() + ": "
                    + obstacle.reason().published() + ": " + OutcomeLine.printable(obstacle.message()));
        }
        for (Wait wait : forecast.waits()) {
            lines.add("would wait: " + OutcomeLine.printable(wait.blocker().toString()) + " ("
                    + (wait.processId().isEmpty() ? "" : OutcomeLine.printable(wait.processId()) + " is ")
                    + wait.processState() + "; requested at " + wait.askedAt() + ")");
        }
        if (pace != null) {
            lines.add((forecast.couldBegin() ? "could begin now, and take about " : "the move would take about ")
                    + seconds(forecast.takes()) + " at " + perSecond(pace));
        }
        return lines;
    }

    private static String documents(Forecast forecast) {
        long total = forecast.total();
        String in = forecast.documents().entrySet().stream()
                .map(index -> index.getValue() + " in " + index.getKey())
                .collect(Collectors.joining(", "));
        return total + (total == 1 ? " document" : " documents") + (in.isEmpty() ? "" : " (" + in + ")");
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / MILLIS_PER_SECOND);
    }

    private static String perSecond(Pace pace) {
        String how = switch (pace.basis()) {
            case MEASURED -> "measured on " + pace.renames() + (pace.renames() == 1 ? " rename" : " renames");
            case ASSUMED -> "assumed";
            case LIMITED -> "the namespace's limit";
        };
        return String.format(Locale.ROOT, "%.0f documents per second (%s)", pace.documentsPerSecond(), how);
    }

    public static ObjectNode json(RenameRequest request, Forecast forecast) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("namespace", request.namespace())
                .put("source", request.source())
                .put("destination", request.destination())
                .put("could_begin", forecast.couldBegin())
                .put("documents", forecast.total());
        ObjectNode indices = json.putObject("indices");
        forecast.documents().forEach(indices::put);
        var obstacles = json.putArray("obstacles");
        forecast.obstacles()
                .forEach(obstacle -> obstacles
                        .addObject()
                        .put("status", obstacle.status().published())
                        .put("reason", obstacle.reason().published())
                        .put("message", obstacle.message()));
        var waits = json.putArray("waits");
        forecast.waits()
                .forEach(wait -> waits.addObject()
                        .put("path", wait.blocker().path().text())
                        .put("by", wait.blocker().held().isPresent() ? "hold" : "claim")
                        .put("mode", wait.blocker().mode().name().toLowerCase(Locale.ROOT))
                        .put("request_id", wait.blocker().requestId())
                        .put("process_id", wait.processId().isEmpty() ? null : wait.processId())
                        .put("process_state", wait.processState())
                        .put("asked_at", wait.askedAt().toString()));
        pace(json, forecast.pace());
        json.put("seconds", forecast.pace() == null ? null : forecast.takes().toMillis() / MILLIS_PER_SECOND);
        return json;
    }

    private static void pace(ObjectNode json, @Nullable Pace pace) {
        json.put("documents_per_second", pace == null ? null : (Long) Math.round(pace.documentsPerSecond()));
        json.put("pace", pace == null ? null : pace.basis().name().toLowerCase(Locale.ROOT));
        json.put("measured_renames", pace == null ? 0 : pace.renames());
    }
}
