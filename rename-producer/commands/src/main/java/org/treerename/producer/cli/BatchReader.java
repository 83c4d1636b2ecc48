package org.treerename.producer.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.kafka.RequestCodec;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.path.Notation;
import org.treerename.request.ParsedRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RequestIds;

/** Reads a batch line by line. Keeps in memory only the current line, and the request ids that the lines contain. */
final class BatchReader implements Closeable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Lines lines;
    private final String batchId;
    private final BatchFile.Defaults defaults;

    /** For each request id in a line, the number of this line. */
    private final Map<String, Long> given = new HashMap<>();

    private @Nullable LineFormat format;

    BatchReader(Lines lines, String batchId, BatchFile.Defaults defaults) {
        this.lines = lines;
        this.batchId = batchId;
        this.defaults = defaults;
    }

    /**
     * Returns the next line that is not blank; null after the last line.
     *
     * @throws IllegalArgumentException if the first line names unknown columns
     */
    @Nullable
    BatchLine next() throws IOException {
        for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
            if (line.problem().isPresent()) {
                return new BatchLine.Bad(line.number(), line.problem().get());
            }
            if (!line.text().isBlank() && !namesColumns(line)) {
                return read(line);
            }
        }
        return null;
    }

    private boolean namesColumns(Lines.Line line) {
        if (format != null) {
            return false;
        }
        try {
            format = LineFormat.of(line.text());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("line " + line.number() + ": " + e.getMessage(), e);
        }
        return format.isHeader();
    }

    private BatchLine read(Lines.Line line) {
        try {
            return request(line);
        } catch (IllegalArgumentException e) {
            return new BatchLine.Bad(line.number(), String.valueOf(e.getMessage()));
        }
    }

    private BatchLine request(Lines.Line line) {
        if (format == null) {
            throw new IllegalStateException("the format is unknown, because no line was read");
        }
        ObjectNode fields = format.fields(line.text());
        require(fields, "source");
        require(fields, "destination");
        boolean isGiven = fields.hasNonNull("request_id");
        String requestId = isGiven ? fields.path("request_id").asText() : batchId + "-" + line.number();
        RequestIds.problem(requestId).ifPresent(BatchReader::refuse);
        Long earlier = isGiven ? given.putIfAbsent(requestId, line.number()) : null;
        if (earlier != null) {
            throw new IllegalArgumentException(
                    "request_id \"" + requestId + "\" is already used in line " + earlier + "; use another request_id");
        }
        fields.put("request_id", requestId);
        putDefault(fields, "namespace", defaults.namespace());
        putDefault(fields, "on_existing", defaults.onExisting());
        putDefault(fields, "requested_by", defaults.requestedBy());
        Decoded.Usable decoded = decoded(fields);
        RenameRequest request = valid(decoded.asked());
        // encode the request now: a request that cannot be encoded cannot be sent
        RequestCodec.encode(request, decoded.after());
        return new BatchLine.Request(line.number(), request, decoded.after());
    }

    private static void require(ObjectNode fields, String name) {
        if (!fields.hasNonNull(name)) {
            throw new IllegalArgumentException(name + " is missing");
        }
    }

    private static void putDefault(ObjectNode fields, String name, String value) {
        if (!fields.hasNonNull(name)) {
            fields.put(name, value);
        }
    }

    private static Decoded.Usable decoded(ObjectNode fields) {
        requireWellFormed(fields);
        byte[] json;
        try {
            json = MAPPER.writeValueAsBytes(fields);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the request cannot be sent: " + e.getOriginalMessage(), e);
        }
        if (RequestCodec.decode(json) instanceof Decoded.Usable usable) {
            return usable;
        }
        throw new IllegalArgumentException("the line does not contain a request");
    }

    /** A lone surrogate would be sent as another character. */
    private static void requireWellFormed(JsonNode node) {
        if (node.isTextual() && !StandardCharsets.UTF_8.newEncoder().canEncode(node.textValue())) {
            throw new IllegalArgumentException("a field must be well-formed Unicode, found a lone surrogate");
        }
        node.forEach(BatchReader::requireWellFormed);
    }

    private RenameRequest valid(ParsedRequest parsed) {
        return switch (parsed) {
            case ParsedRequest.InvalidRequest invalid -> throw new IllegalArgumentException(invalid.problem());
            case RenameRequest request -> {
                pathProblem(request).ifPresent(BatchReader::refuse);
                yield request;
            }
        };
    }

    /** Checks only namespaces whose definitions are given. In the others, the worker checks the paths. */
    private Optional<String> pathProblem(RenameRequest request) {
        Optional<Notation> notation = defaults.namespaces().stream()
                .filter(defined -> defined.name().equals(request.namespace()))
                .map(defined -> defined.notation())
                .findFirst();
        return notation.flatMap(paths -> paths.problem(request.source())
                .map(problem -> "source: " + problem)
                .or(() -> paths.problem(request.destination()).map(problem -> "destination: " + problem)));
    }

    private static void refuse(String problem) {
        throw new IllegalArgumentException(problem);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
