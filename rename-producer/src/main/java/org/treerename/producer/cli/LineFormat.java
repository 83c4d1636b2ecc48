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

/** How the lines of a batch are written. Each is a record of its own: a path with a line break goes into JSON. */
sealed interface LineFormat {

    /** The columns of a CSV file that names none. */
    List<String> COLUMNS =
            List.of("source", "destination", "request_id", "namespace", "on_existing", "requested_by", "version");

    /**
     * The fields of a request that a line gives.
     *
     * @throws IllegalArgumentException if it gives none, with one sentence for people
     */
    ObjectNode fields(String line);

    /** Whether the line with which the format was told holds no request: it names the columns. */
    boolean isHeader();

    /**
     * What the first line that is not blank tells: JSON begins with a brace.
     *
     * @throws IllegalArgumentException if it names columns that there are not
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
                throw new IllegalArgumentException("no JSON: " + e.getOriginalMessage(), e);
            }
            if (!(json instanceof ObjectNode object)) {
                throw new IllegalArgumentException("no JSON object");
            }
            object.fieldNames().forEachRemaining(name -> requireKnown("field", name, FIELDS));
            return object;
        }
    }

    /** Values between commas, in double quotes where they hold one of the two; an empty value is not given. */
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
                throw new IllegalArgumentException("a column stands there twice: " + String.join(", ", names));
            }
            return new Csv(names, true);
        }

        @Override
        public ObjectNode fields(String line) {
            List<String> cells = cells(line);
            if (cells.size() > columns.size()) {
                throw new IllegalArgumentException(cells.size() + " values where at most " + columns.size()
                        + " belong; one with a comma" + " stands in double quotes");
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
                throw new IllegalArgumentException("no CSV: " + e.getOriginalMessage(), e);
            }
        }
    }

    private static void requireKnown(String what, String name, Set<String> known) {
        if (!known.contains(name)) {
            throw new IllegalArgumentException("unknown " + what + " \"" + name + "\""
                    + SimilarName.to(name, known)
                            .map(nearest -> "; did you mean \"" + nearest + "\"?")
                            .orElse("; there are " + String.join(", ", known)));
        }
    }
}
