package org.treerename.producer.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.treerename.runtime.SimilarName;

/**
 * The format of the lines of a batch. Each line is one record, so a path with a line break must be written in JSON.
 */
sealed interface LineFormat {

    /** The columns of a CSV file whose first line does not name the columns. */
    List<String> COLUMNS =
            List.of("source", "destination", "request_id", "namespace", "on_existing", "requested_by", "version");

    /**
     * Returns the fields of the request in a line.
     *
     * @throws IllegalArgumentException if the line does not have this format; the message is one sentence for people
     */
    ObjectNode fields(String line);

    /** Returns whether the first line contains the names of the columns and no request. */
    boolean isHeader();

    /**
     * Detects the format of a file from the first line that is not blank. A line of JSON begins with a brace.
     *
     * @throws IllegalArgumentException if the line names unknown columns
     */
    static LineFormat of(String first) {
        return first.stripLeading().startsWith("{") ? new Ndjson() : Csv.of(first);
    }

    /** One JSON object in each line, with the fields of a request. */
    record Ndjson() implements LineFormat {

        private static final ObjectReader READER = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .build()
                .reader();

        private static final Set<String> FIELDS = fieldNames();

        private static Set<String> fieldNames() {
            Set<String> names = new TreeSet<>(COLUMNS);
            names.add("after");
            return names;
        }

        @Override
        public boolean isHeader() {
            return false;
        }

        @Override
        public ObjectNode fields(String line) {
            JsonNode json;
            try {
                json = READER.readTree(line);
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException("the line is not valid JSON: " + e.getOriginalMessage(), e);
            }
            if (!(json instanceof ObjectNode object)) {
                throw new IllegalArgumentException("the line is not a JSON object");
            }
            object.fieldNames().forEachRemaining(name -> requireKnown("field", name, FIELDS));
            return object;
        }
    }

    /**
     * Values separated by commas. A value that contains a comma or a double quote is in double quotes. An empty value
     * is treated as missing.
     */
    record Csv(List<String> columns, boolean isHeader) implements LineFormat {

        private static final ObjectReader READER = new CsvMapper().readerFor(String[].class);

        private static Csv of(String first) {
            List<String> names;
            try {
                names = cells(first).stream().map(String::strip).toList();
            } catch (IllegalArgumentException e) {
                return new Csv(COLUMNS, false);
            }
            if (!names.contains("source") || !names.contains("destination")) {
                return new Csv(COLUMNS, false);
            }
            names.forEach(name -> requireKnown("column", name, new TreeSet<>(COLUMNS)));
            if (new HashSet<>(names).size() < names.size()) {
                throw new IllegalArgumentException(
                        "each column must be named only once, found " + String.join(", ", names));
            }
            return new Csv(names, true);
        }

        @Override
        public ObjectNode fields(String line) {
            List<String> cells = cells(line);
            if (cells.size() > columns.size()) {
                throw new IllegalArgumentException(cells.size() + " values, but only " + columns.size()
                        + " columns; put a value with a comma into double quotes");
            }
            ObjectNode fields = JsonNodeFactory.instance.objectNode();
            for (int i = 0; i < cells.size(); i++) {
                if (!cells.get(i).isEmpty()) {
                    put(fields, columns.get(i), cells.get(i));
                }
            }
            return fields;
        }

        private static void put(ObjectNode fields, String name, String value) {
            Optional<Long> version = name.equals("version") ? number(value) : Optional.empty();
            version.ifPresentOrElse(number -> fields.put(name, number), () -> fields.put(name, value));
        }

        private static Optional<Long> number(String value) {
            try {
                return Optional.of(Long.valueOf(value));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        private static List<String> cells(String line) {
            try {
                List<String> cells = new ArrayList<>();
                for (String cell : READER.<String[]>readValue(line)) {
                    cells.add(cell == null ? "" : cell);
                }
                return cells;
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException("the line is not valid CSV: " + e.getOriginalMessage(), e);
            }
        }
    }

    private static void requireKnown(String kind, String name, Set<String> known) {
        if (!known.contains(name)) {
            throw new IllegalArgumentException("unknown " + kind + " \"" + name + "\""
                    + SimilarName.to(name, known)
                            .map(nearest -> "; did you mean \"" + nearest + "\"?")
                            .orElse("; known names: " + String.join(", ", known)));
        }
    }
}
