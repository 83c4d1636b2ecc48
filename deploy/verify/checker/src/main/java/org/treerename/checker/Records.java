package org.treerename.checker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The records of one run, read from the topics.
 *
 * @param requests the requests, in the order of the log within each partition
 * @param outcomes the outcomes, in the order in which they were published, including repeated outcomes
 * @param oneClock whether the times of all requests and outcomes come from one clock
 */
public record Records(List<Request> requests, List<Outcome> outcomes, List<DeadLetter> deadLetters, boolean oneClock) {

    /**
     * One record of the request topic.
     *
     * @param value the value as it was sent; the value may be invalid
     */
    public record Request(JournalDump.Delivery place, Instant appendedAt, String value) {

        /** Returns the request id; empty if the record has no id. No outcome can answer a record without an id. */
        public Optional<String> requestId() {
            return Records.requestId(value);
        }
    }

    /**
     * One record of the outcome topic.
     *
     * @param key the request id
     * @param publishedAt a time that is not after the time at which the record became readable
     */
    public record Outcome(String key, Instant publishedAt, String value) {}

    /** A dead letter: the place of the original record in the request topic, and the reason. */
    public record DeadLetter(JournalDump.Delivery place, String reason) {}

    public Records {
        requests = List.copyOf(requests);
        outcomes = List.copyOf(outcomes);
        deadLetters = List.copyOf(deadLetters);
    }

    static Optional<String> requestId(String json) {
        try {
            JsonNode id = ElasticsearchHttp.MAPPER.readTree(json).path("request_id");
            return Optional.ofNullable(id.textValue());
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
