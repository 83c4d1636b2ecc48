package org.treerename.producer.direct;

import java.time.Instant;
import org.treerename.journal.Delivery;
import org.treerename.kafka.RequestCodec;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RequestIds;

/** Converts the request of a direct rename into a delivery, as a worker does with the record of a request. */
final class RequestCheck {

    private RequestCheck() {}

    /**
     * Returns the delivery of a request. The delivery has the same digest as a Kafka record of the request. So the
     * journal recognizes the request if the request arrives through Kafka as well.
     *
     * @param now the time of the request
     * @throws IllegalArgumentException if the request id is not valid, or a text is not well-formed Unicode
     */
    static Delivery delivery(RenameRequest request, Instant now) {
        RequestIds.problem(request.requestId()).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        return switch (RequestCodec.decode(RequestCodec.encode(request))) {
            case Decoded.Usable usable -> Delivery.direct(usable.asked(), usable.digest(), now);
            case Decoded.Unusable unusable ->
                throw new IllegalArgumentException("the request cannot be processed: " + unusable.reason());
        };
    }
}
