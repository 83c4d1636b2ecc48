package org.treerename.checker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The journal entries of the control index, as they stand there after a refresh; in no promised order. */
public record JournalDump(List<Entry> entries) {

    /**
     * One rename's entry, or that of a hold of a writer.
     *
     * @param state as stored: {@code prepared}, {@code moving}, …, {@code closed}
     * @param namespace null, as source and destination, where the request was invalid; of a writer only the other two are
     * @param refusals how often locks refused it
     * @param refusedBy the request that refused it last; null if none did
     * @param refusal the last refusal in words
     * @param delivery the place of its first delivery in the log
     * @param committedAt when it was committed; null if it never was
     * @param decidedSeqNo the sequence number of the write that decided it; null if it is not decided
     * @param outcome the text that is published; null where it has none yet
     * @param status of its outcome; null where it has none yet, as the three that follow
     */
    public record Entry(
            String requestId,
            String state,
            String owner,
            @Nullable String holdId,
            @Nullable String namespace,
            @Nullable String source,
            @Nullable String destination,
            boolean replace,
            int refusals,
            @Nullable String refusedBy,
            @Nullable String refusal,
            Delivery delivery,
            @Nullable Instant committedAt,
            @Nullable Long decidedSeqNo,
            @Nullable Instant finishedAt,
            @Nullable String outcome,
            @Nullable String status,
            @Nullable String reason) {

        public boolean isClosed() {
            return state.equals("closed");
        }

        /** Whether a writer held locks under it: it has no outcome, and nobody has asked for it in the log. */
        public boolean isOfWriter() {
            return namespace != null && source == null;
        }

        /** Whether its outcome stands. */
        public boolean isEnded() {
            return outcome != null;
        }

        public boolean isParked() {
            return state.equals("parked");
        }

        /** Whether it takes effect: it has completed, or it is decided that it will. */
        public boolean isDecidedToMove() {
            return isCompleted() || isParked() || state.equals("moving");
        }

        public boolean isCompleted() {
            return "completed".equals(status);
        }
    }

    /** A place in the request topic. */
    public record Delivery(int partition, long offset) {}

    public JournalDump {
        entries = List.copyOf(entries);
    }

    /** The entries of some namespaces. */
    JournalDump in(Set<String> namespaces) {
        return new JournalDump(entries.stream()
                .filter(entry -> entry.namespace() != null && namespaces.contains(entry.namespace()))
                .toList());
    }

    public static JournalDump read(ElasticsearchHttp http) {
        return new JournalDump(ControlDocuments.ofKind(http, "rename").stream()
                .map(JournalDump::entry)
                .toList());
    }

    /** One entry as it is now, without a refresh. */
    public static Optional<Entry> readEntry(ElasticsearchHttp http, String requestId) {
        String id =
                URLEncoder.encode("rename:" + requestId, StandardCharsets.UTF_8).replace("+", "%20");
        ElasticsearchHttp.Answer answer = http.get(ControlDocuments.INDEX + "/_doc/" + id);
        return answer.status() == 404
                ? Optional.empty()
                : Optional.of(entry(answer.json().required("_source")));
    }

    /** The completed renames of a namespace, in the order of their commits as the workers' clocks tell it. */
    public List<CompletedRename> completed(String namespace) {
        return entries.stream()
                .filter(entry -> entry.isCompleted() && namespace.equals(entry.namespace()))
                .map(JournalDump::completed)
                .sorted(CompletedRename.BY_COMMIT)
                .toList();
    }

    private static CompletedRename completed(Entry entry) {
        String what = "a completed rename has its paths and times: " + entry;
        return new CompletedRename(
                entry.requestId(),
                Objects.requireNonNull(entry.source(), what),
                Objects.requireNonNull(entry.destination(), what),
                entry.replace(),
                Objects.requireNonNull(entry.committedAt(), what),
                Objects.requireNonNull(entry.finishedAt(), what));
    }

    private static Entry entry(JsonNode json) {
        JsonNode request = json.path("request");
        JsonNode waiting = json.path("waiting");
        JsonNode outcome = outcome(json.path("outcome").textValue());
        return new Entry(
                json.required("request_id").asText(),
                json.required("state").asText(),
                json.required("owner").asText(),
                json.path("hold_id").textValue(),
                request.path("namespace").textValue(),
                request.path("source").textValue(),
                request.path("destination").textValue(),
                "replace".equals(request.path("on_existing").textValue()),
                waiting.path("refusals").asInt(),
                waiting.path("refused_by").textValue(),
                waiting.path("refusal").textValue(),
                new Delivery(json.path("partition").asInt(), json.path("offset").asLong()),
                ControlDocuments.instant(json.path("committed_at")),
                decidedSeqNo(json),
                ControlDocuments.instant(json.path("finished_at")),
                json.path("outcome").textValue(),
                outcome.path("status").textValue(),
                outcome.path("reason").textValue());
    }

    private static @Nullable Long decidedSeqNo(JsonNode json) {
        JsonNode seqNo = json.path("decided_seq_no");
        return seqNo.isNumber() ? (Long) seqNo.asLong() : null;
    }

    private static JsonNode outcome(@Nullable String text) {
        try {
            return text == null ? ElasticsearchHttp.MAPPER.missingNode() : ElasticsearchHttp.MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an outcome in the journal is not JSON: " + text, e);
        }
    }
}
