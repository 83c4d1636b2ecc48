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
import org.treerename.rename.Outcome;
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.wire.JsonOutcomeCodec;

/**
 * The outcomes of one batch in a file, one JSON object in each line: {@code {"batch": …, "line": 17, "source": …,
 * "destination": …, "outcome": {…}}}. What it holds already is not asked for again; a line that is lost or torn costs
 * only that.
 *
 * <p>One thread makes and closes it; any may add.
 */
final class OutcomeLog implements Closeable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final JsonOutcomeCodec codec = new JsonOutcomeCodec();
    private final BitSet told = new BitSet();
    private final String batchId;
    private @Nullable BufferedWriter writer;

    private OutcomeLog(String batchId) {
        this.batchId = batchId;
    }

    /**
     * Opens it behind what it holds, and tells the tally of that.
     *
     * @param file null for none, which holds and takes nothing
     * @throws IllegalArgumentException if it holds something else than outcomes of this batch
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

    /** Whether its last line lacks an end. */
    private boolean read(Path file, Tally tally) throws IOException {
        try (Lines lines = new Lines(Files.newInputStream(file))) {
            for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
                if (!line.text().isBlank()) {
                    take(file, line, tally);
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

    private void take(Path file, Lines.Line line, Tally tally) {
        JsonNode json;
        try {
            json = MAPPER.readTree(line.text());
        } catch (JsonProcessingException e) {
            // torn by the end of the process that wrote it
            return;
        }
        if (!json.path("batch").asText().equals(batchId)) {
            throw new IllegalArgumentException("--report: " + file + ", line " + line.number()
                    + ", is no outcome of this batch (" + batchId + "); name another file");
        }
        int number = json.path("line").asInt();
        Optional<Outcome> outcome = outcome(json.path("outcome"));
        if (number > 0 && outcome.isPresent() && !told.get(number)) {
            told.set(number);
            tally.sent();
            tally.ended(number, outcome.get());
        }
    }

    private Optional<Outcome> outcome(JsonNode json) {
        try {
            return Optional.of(codec.decode(json.toString()));
        } catch (IllegalArgumentException e) {
            // of a later version, so it is asked for again
            return Optional.empty();
        }
    }

    /** Whether it held the outcome of this line when it was opened. */
    boolean knows(long line) {
        return line <= Integer.MAX_VALUE && told.get((int) line);
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
