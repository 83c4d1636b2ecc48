package org.treerename.checker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The records of the topics that belong to a run.
 *
 * @param requests in the order of the log within each partition
 * @param outcomes in the order in which they were published, each as often as it was
 * @param oneClock whether the times of requests and outcomes come from one clock
 */
public record Records(List<Request> requests, List<Outcome> outcomes, List<DeadLetter> deadLetters, boolean oneClock) {

    /**
     * One record of the request topic.
     *
     * @param value as it was sent, whatever it is
     */
    public record Request(JournalDump.Delivery place, Instant appendedAt, String value) {

        /** Empty where no outcome can answer it. */
        public Optional<String> requestId() {
            return Records.requestId(value);
        }
    }

    /**
     * One record of the outcome topic.
     *
     * @param key the request id
     * @param publishedAt no later than it could be read
     */
    public record Outcome(String key, Instant publishedAt, String value) {}

    /** A request that no outcome can answer: where it stands in the request topic. */
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
