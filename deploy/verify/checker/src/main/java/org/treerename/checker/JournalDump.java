package org.treerename.checker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The journal entries of the control index after a refresh, in no particular order. */
public record JournalDump(List<Entry> entries) {

    /**
     * The journal entry of one rename, or of one hold of a writer.
     *
     * @param state the stored state, for example {@code prepared}, {@code moving} or {@code closed}
     * @param namespace the namespace; null if the request was invalid. In this case, source and destination are null as
     *     well. The entry of a writer has a namespace, but no source and no destination
     * @param refusals the number of attempts that were refused because of the locks of other requests
     * @param refusedBy the request with the conflicting lock at the last refused attempt; null if no attempt was
     *     refused
     * @param refusal the reason for the last refusal, as a text; null if no attempt was refused
     * @param delivery the position of the record that first delivered the request
     * @param committedAt the time of the commit; null if the rename was never committed
     * @param decidedSeqNo the sequence number of the write that decided the rename; null if the rename is not decided
     * @param outcome the text of the outcome; null if there is no outcome yet
     * @param status the status in the outcome; null if there is no outcome yet
     * @param reason the reason in the outcome; null if there is none
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

        /**
         * Returns whether the entry belongs to a writer. The entry of a writer has no outcome, and the log has no
         * request for this entry.
         */
        public boolean isOfWriter() {
            return namespace != null && source == null;
        }

        /** Returns whether the entry has an outcome. */
        public boolean isEnded() {
            return outcome != null;
        }

        public boolean isParked() {
            return state.equals("parked");
        }

        /**
         * Returns whether the rename takes effect: the rename has completed, was abandoned, or is decided and will
         * complete.
         */
        public boolean isDecidedToMove() {
            return isCompleted() || "abandoned".equals(status) || isParked() || state.equals("moving");
        }

        public boolean isCompleted() {
            return "completed".equals(status);
        }
    }

    /** A partition and an offset of the request topic. */
    public record Delivery(int partition, long offset) {}

    public JournalDump {
        entries = List.copyOf(entries);
    }

    /** Returns the entries of these namespaces. */
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

    /** Returns the completed renames of a namespace, in the order of their commits by the clocks of the workers. */
    public List<CompletedRename> completed(String namespace) {
        return entries.stream()
                .filter(entry -> entry.isCompleted() && namespace.equals(entry.namespace()))
                .map(JournalDump::completed)
                .sorted(CompletedRename.BY_COMMIT)
                .toList();
    }

    private static CompletedRename completed(Entry entry) {
        String what = "expected paths and times in the entry of a completed rename, found " + entry;
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
