package org.treerename.producer.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.producer.PublishedOutcome;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * A file with the outcomes of one batch. Each line of the file is one JSON object: {@code {"batch": …, "line": 17,
 * "source": …, "destination": …, "outcome": {…}}}. A request whose outcome is in the file is not sent again. If the
 * outcome of a request is missing or incomplete in the file, the request is sent again. A repeated request has no
 * further effect.
 *
 * <p>One thread creates and closes the log. Any thread may add outcomes.
 */
final class OutcomeLog implements Closeable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final BitSet known = new BitSet();
    private final String batchId;
    private @Nullable BufferedWriter writer;

    private OutcomeLog(String batchId) {
        this.batchId = batchId;
    }

    /**
     * Opens the file for appending, and adds the outcomes in the file to the tally.
     *
     * @param file the file; null for a log that contains nothing and discards all outcomes
     * @throws IllegalArgumentException if a complete line of the file is not an outcome of this batch
     */
    static OutcomeLog open(@Nullable Path file, String batchId, Tally tally) throws IOException {
        OutcomeLog log = new OutcomeLog(batchId);
        if (file != null) {
            log.continueIn(file, tally);
        }
        return log;
    }

    private void continueIn(Path file, Tally tally) throws IOException {
        boolean isTorn = Files.exists(file) && read(file, tally);
        writer = Files.newBufferedWriter(
                file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (isTorn) {
            writer.newLine();
        }
    }

    /** Returns whether the last line has no line end. */
    private boolean read(Path file, Tally tally) throws IOException {
        try (Lines lines = new Lines(Files.newInputStream(file))) {
            for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
                if (!line.text().isBlank()) {
                    addKnown(file, line, tally);
                }
            }
        }
        return Files.size(file) > 0 && !endsLine(file);
    }

    private static boolean endsLine(Path file) throws IOException {
        try (var bytes = Files.newByteChannel(file)) {
            var last = ByteBuffer.allocate(1);
            bytes.position(bytes.size() - 1).read(last);
            return last.get(0) == '\n';
        }
    }

    private void addKnown(Path file, Lines.Line line, Tally tally) {
        JsonNode json;
        try {
            json = MAPPER.readTree(line.text());
        } catch (JsonProcessingException e) {
            // the line is incomplete, because an earlier run ended during its write
            return;
        }
        if (!json.path("batch").asText().equals(batchId)) {
            throw new IllegalArgumentException("--report: line " + line.number() + " of " + file
                    + " is not an outcome of this batch (" + batchId + "); use another file");
        }
        int number = json.path("line").asInt();
        Optional<Outcome> outcome = outcome(json.path("outcome"));
        if (number > 0 && outcome.isPresent() && !known.get(number)) {
            known.set(number);
            tally.sent();
            tally.ended(number, outcome.get(), false);
        }
    }

    private Optional<Outcome> outcome(JsonNode json) {
        try {
            return Optional.of(OutcomeCodec.decode(json.toString()));
        } catch (IllegalArgumentException e) {
            // a later version of this program wrote this outcome; this version sends the request again
            return Optional.empty();
        }
    }

    /** Returns whether the file contained the outcome of this line of the batch when the log was opened. */
    boolean knows(long line) {
        return line <= Integer.MAX_VALUE && known.get((int) line);
    }

    synchronized void add(long line, RenameRequest request, PublishedOutcome published) {
        if (writer == null) {
            return;
        }
        try {
            writer.write(MAPPER.writeValueAsString(MAPPER.createObjectNode()
                    .put("batch", batchId)
                    .put("line", line)
                    .put("source", request.source())
                    .put("destination", request.destination())
                    .set("outcome", MAPPER.readTree(published.json()))));
            writer.newLine();
            writer.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (writer != null) {
            writer.close();
            writer = null;
        }
    }
}
