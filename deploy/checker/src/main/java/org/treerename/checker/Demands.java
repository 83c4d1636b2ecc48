package org.treerename.checker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.treerename.path.Rules;
import org.treerename.path.VersionOwner;

/** What requests ask for beyond two paths, as their records in the log have it. */
final class Demands {

    private final Map<JournalDump.Delivery, String> records = new HashMap<>();
    private final Set<String> known = new HashSet<>();
    private final boolean versionWanted;

    private Demands(Rules rules) {
        this.versionWanted = rules.version() != VersionOwner.SEQ_NO && rules.versionField() == null;
    }

    static Demands of(Run run) {
        Demands demands = new Demands(run.namespace().rules());
        run.records().requests().forEach(request -> demands.records.put(request.place(), request.value()));
        run.control().journal().entries().forEach(entry -> demands.known.add(entry.requestId()));
        return demands;
    }

    /** Whether it brings a version that its namespace does not take, or lacks one that it does. */
    boolean hasWrongVersion(JournalDump.Entry entry) {
        return records.containsKey(entry.delivery())
                && json(entry).path("version").isIntegralNumber() != versionWanted;
    }

    /** Whether it is to come after one that the journal does not know. */
    boolean followsAnUnknownOne(JournalDump.Entry entry) {
        for (JsonNode id : json(entry).path("after")) {
            if (!known.contains(id.asText())) {
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
