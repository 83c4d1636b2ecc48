package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A comparison as a result stores it: the figures of each side, and the verdicts on the goals.
 *
 * @param unit the unit of all figures
 */
record Table(String title, String unit, Better better, List<Series> sides, List<Verdict> verdicts, List<String> notes) {

    Table {
        sides = List.copyOf(sides);
        verdicts = List.copyOf(verdicts);
        notes = List.copyOf(notes);
    }

    static Table of(Comparison comparison) {
        return new Table(
                comparison.title(),
                comparison.unit(),
                comparison.better(),
                comparison.sides(),
                comparison.verdicts(),
                comparison.notes());
    }

    /**
     * Returns Markdown with a table of the sides and with the notes. If the comparison has goals, the Markdown also
     * contains a table of the goals.
     */
    String markdown() {
        StringBuilder text = new StringBuilder();
        text.append("| side | median, ").append(unit).append(" | lowest | highest | warm-up |\n");
        text.append("| --- | ---: | ---: | ---: | ---: |\n");
        for (Series side : sides) {
            Spread spread = side.spread();
            row(
                    text,
                    side.side(),
                    Figure.text(spread.median()),
                    Figure.text(spread.min()),
                    Figure.text(spread.max()),
                    String.join(", ", side.warmUps().stream().map(Figure::text).toList()));
        }
        if (!verdicts.isEmpty()) {
            text.append("\n| goal | found | lowest | highest | |\n| --- | ---: | ---: | ---: | --- |\n");
            for (Verdict verdict : verdicts) {
                row(
                        text,
                        verdict.goal(),
                        Figure.text(verdict.figure()),
                        verdict.ratio()
                                .map(ratio -> Figure.text(ratio.lowest()))
                                .orElse(""),
                        verdict.ratio()
                                .map(ratio -> Figure.text(ratio.highest()))
                                .orElse(""),
                        inWords(verdict.state()));
            }
        }
        notes.forEach(note -> text.append('\n').append(note).append('\n'));
        return text.toString();
    }

    static void row(StringBuilder text, String... cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    static String inWords(Verdict.State state) {
        return switch (state) {
            case REACHED -> "reached";
            case MISSED -> "**not reached**";
            case DOES_NOT_COUNT -> "does not count in this run";
        };
    }

    /** Returns this table as JSON, with every figure of every round. */
    ObjectNode json() {
        ObjectNode json = Es.JSON.createObjectNode().put("title", title).put("unit", unit);
        json.put("better", better.name().toLowerCase(Locale.ROOT));
        ArrayNode all = json.putArray("sides");
        for (Series series : sides) {
            ObjectNode side = all.addObject().put("side", series.side());
            side.put("median", series.spread().median());
            series.rounds().forEach(side.putArray("rounds")::add);
            series.warmUps().forEach(side.putArray("warm_ups")::add);
        }
        ArrayNode goals = json.putArray("goals");
        for (Verdict verdict : verdicts) {
            ObjectNode goal = goals.addObject().put("goal", verdict.goal());
            goal.put("target", verdict.target()).put("found", verdict.figure());
            verdict.ratio()
                    .ifPresent(ratio -> goal.put("lowest", ratio.lowest()).put("highest", ratio.highest()));
            goal.put("state", verdict.state().name().toLowerCase(Locale.ROOT));
        }
        notes.forEach(json.putArray("notes")::add);
        return json;
    }

    /** Creates a table from the JSON that {@link #json} returned. */
    static Table read(JsonNode json) {
        List<Series> sides = new ArrayList<>();
        for (JsonNode side : json.required("sides")) {
            sides.add(new Series(
                    side.required("side").asText(), figures(side.path("warm_ups")), figures(side.required("rounds"))));
        }
        List<Verdict> verdicts = new ArrayList<>();
        for (JsonNode goal : json.required("goals")) {
            double found = goal.required("found").asDouble();
            Optional<Ratio> ratio = goal.has("lowest")
                    ? Optional.of(new Ratio(
                            found,
                            goal.required("lowest").asDouble(),
                            goal.required("highest").asDouble()))
                    : Optional.empty();
            verdicts.add(new Verdict(
                    goal.required("goal").asText(),
                    ratio,
                    found,
                    goal.required("target").asDouble(),
                    Verdict.State.valueOf(goal.required("state").asText().toUpperCase(Locale.ROOT))));
        }
        List<String> notes = new ArrayList<>();
        json.path("notes").forEach(note -> notes.add(note.asText()));
        return new Table(
                json.required("title").asText(),
                json.required("unit").asText(),
                Better.valueOf(json.required("better").asText().toUpperCase(Locale.ROOT)),
                sides,
                verdicts,
                notes);
    }

    private static List<Double> figures(JsonNode array) {
        List<Double> figures = new ArrayList<>();
        array.forEach(figure -> figures.add(figure.asDouble()));
        return figures;
    }
}
