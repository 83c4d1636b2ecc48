package org.treerename.checker;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;

/**
 * The options {@code version}, {@code source_id} and {@code after} of the requests, read from the records in the log.
 */
final class Demands {

    /** The largest difference between two clocks, plus the largest age of a search result that leads to a rejection. */
    private static final Duration SLACK = Duration.ofSeconds(15);

    private final Map<JournalDump.Delivery, String> records = new HashMap<>();

    /** The time at which each request ended, from the journal, by request id. */
    private final Map<String, Instant> ends = new HashMap<>();

    private final boolean versionWanted;

    private Demands(Rules rules) {
        this.versionWanted = rules.version() != VersionOwner.SEQ_NO && rules.versionField() == null;
    }

    static Demands of(Run run) {
        Demands demands = new Demands(run.namespace().rules());
        run.records().requests().forEach(request -> demands.records.put(request.place(), request.value()));
        run.control().journal().entries().stream()
                .filter(entry -> entry.finishedAt() != null)
                .forEach(entry -> demands.ends.put(entry.requestId(), requireNonNull(entry.finishedAt())));
        return demands;
    }

    /**
     * Returns whether the request has a version although its namespace accepts none, or has no version although its
     * namespace requires one.
     */
    boolean hasWrongVersion(JournalDump.Entry entry) {
        return records.containsKey(entry.delivery())
                && json(entry).path("version").isIntegralNumber() != versionWanted;
    }

    /** Returns the id of the document that must be at the source; empty if the request does not name a document. */
    Optional<String> sourceId(JournalDump.Entry entry) {
        return Optional.ofNullable(json(entry).path("source_id").textValue());
    }

    /**
     * Returns whether the request names a predecessor that was possibly missing in the journal when the request ended.
     */
    boolean followsAnUnknownOne(JournalDump.Entry entry) {
        Instant end = requireNonNull(
                entry.finishedAt(), () -> Replay.words(entry) + ": expected the time of its end, found none");
        for (JsonNode id : json(entry).path("after")) {
            Instant other = ends.get(id.asText());
            if (other == null || other.isAfter(end.minus(SLACK))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the request names a predecessor. If a predecessor is parked or was released for a retry, the
     * request can fail with the reason {@code locked} although none of its locks was refused.
     */
    boolean followsAnother(JournalDump.Entry entry) {
        return !json(entry).path("after").isEmpty();
    }

    private JsonNode json(JournalDump.Entry entry) {
        try {
            return ElasticsearchHttp.MAPPER.readTree(records.getOrDefault(entry.delivery(), "{}"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(
                    Replay.words(entry) + " has a journal entry, but its record is not JSON", e);
        }
    }
}
