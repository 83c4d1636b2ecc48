package org.treerename.checker;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.treerename.path.Rules;
import org.treerename.path.VersionOwner;

/** What requests ask for beyond two paths, as their records in the log have it. */
final class Demands {

    /** By how much two processes may disagree about the time, and how old the look may be that a rejection rests on. */
    private static final Duration SLACK = Duration.ofSeconds(15);

    private final Map<JournalDump.Delivery, String> records = new HashMap<>();

    /** When each request of the journal has ended, by its id. */
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

    /** Whether it brings a version that its namespace does not take, or lacks one that it does. */
    boolean hasWrongVersion(JournalDump.Entry entry) {
        return records.containsKey(entry.delivery())
                && json(entry).path("version").isIntegralNumber() != versionWanted;
    }

    /** Returns the id of the one document that is to be at the source itself; empty for any. */
    Optional<String> sourceId(JournalDump.Entry entry) {
        return Optional.ofNullable(json(entry).path("source_id").textValue());
    }

    /** Whether it is to come after one that the journal may not have known when this one ended. */
    boolean followsAnUnknownOne(JournalDump.Entry entry) {
        Instant end = requireNonNull(entry.finishedAt(), "expected a request that has ended");
        for (JsonNode id : json(entry).path("after")) {
            Instant other = ends.get(id.asText());
            if (other == null || other.isAfter(end.minus(SLACK))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether it is to come after another request, which may have been parked. */
    boolean followsAnother(JournalDump.Entry entry) {
        return !json(entry).path("after").isEmpty();
    }

    private JsonNode json(JournalDump.Entry entry) {
        try {
            return ElasticsearchHttp.MAPPER.readTree(records.getOrDefault(entry.delivery(), "{}"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(Replay.words(entry) + " has an entry, and its record is no JSON", e);
        }
    }
}
