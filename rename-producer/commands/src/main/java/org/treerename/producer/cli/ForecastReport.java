package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.treerename.kafka.RequestCodec;
import org.treerename.producer.cli.gateway.GatewayClient;
import org.treerename.producer.forecast.Forecast;
import org.treerename.producer.forecast.Pace;
import org.treerename.request.ParsedRequest.RenameRequest;

/** Formats a forecast as lines for people, or as one JSON object. */
public final class ForecastReport {

    private static final double MILLIS_PER_SECOND = 1_000.0;

    private ForecastReport() {}

    /** Returns the lines for people. The argument is the object that {@link #json} or a gateway returns. */
    static List<String> lines(JsonNode forecast) {
        List<String> lines = new ArrayList<>();
        boolean isChecked = forecast.hasNonNull("pace");
        if (isChecked) {
            lines.add("would rename " + text(forecast, "source") + " to " + text(forecast, "destination") + ": "
                    + documents(forecast));
        }
        for (JsonNode obstacle : forecast.path("obstacles")) {
            lines.add("would be " + text(obstacle, "status") + ": " + text(obstacle, "reason") + ": "
                    + text(obstacle, "message"));
        }
        for (JsonNode wait : forecast.path("waits")) {
            lines.add("would wait: " + text(wait, "message") + " ("
                    + (wait.hasNonNull("process_id") ? text(wait, "process_id") + " is " : "")
                    + text(wait, "process_state") + "; requested at " + text(wait, "asked_at") + ")");
        }
        if (!forecast.path("waits").isEmpty()) {
            lines.add("the tree may change while the rename waits");
        }
        if (isChecked && forecast.path("obstacles").isEmpty()) {
            lines.add((couldBegin(forecast)
                            ? "the rename could begin now, and would take about "
                            : "the move would take about ")
                    + String.format(
                            Locale.ROOT, "%.1f s", forecast.path("seconds").asDouble())
                    + " at " + perSecond(forecast));
        }
        return lines;
    }

    /** Returns whether the rename would acquire its locks and be decided at once. */
    static boolean couldBegin(JsonNode forecast) {
        return forecast.path("could_begin").asBoolean();
    }

    private static String text(JsonNode json, String field) {
        return OutcomeLine.printable(json.path(field).asText());
    }

    private static String documents(JsonNode forecast) {
        long total = forecast.path("documents").asLong();
        String in = forecast.path("indices").properties().stream()
                .map(index -> index.getValue().asLong() + " in " + OutcomeLine.printable(index.getKey()))
                .collect(Collectors.joining(", "));
        return total + (total == 1 ? " document" : " documents") + (in.isEmpty() ? "" : " (" + in + ")");
    }

    private static String perSecond(JsonNode forecast) {
        int renames = forecast.path("measured_renames").asInt();
        String how = switch (forecast.path("pace").asText()) {
            case "measured" -> "measured on " + renames + (renames == 1 ? " rename" : " renames");
            case "limited" -> "the namespace's limit";
            default -> "assumed";
        };
        return forecast.path("documents_per_second").asLong() + " documents per second (" + how + ")";
    }

    /** Requests the forecast from a gateway, and closes the connection. */
    static JsonNode of(GatewayClient gateway, RenameRequest request) {
        try (gateway) {
            String text = new String(RequestCodec.encode(request), StandardCharsets.UTF_8);
            return gateway.post("/v1/forecasts", (ObjectNode) GatewayClient.parsed(text))
                    .ok();
        }
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
                        .put("asked_at", wait.askedAt().toString())
                        .put("message", wait.blocker().toString()));
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
