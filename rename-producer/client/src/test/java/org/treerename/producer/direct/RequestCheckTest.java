package org.treerename.producer.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Delivery;
import org.treerename.kafka.RequestCodec;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;

class RequestCheckTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123456Z");

    private static RenameRequest request(String id, String requestedBy) {
        return new RenameRequest(id, "files", "/ä", "/b", OnExisting.REPLACE, requestedBy).withVersion(7);
    }

    @Test
    void the_delivery_has_the_digest_of_the_record_and_the_time_in_milliseconds() {
        RenameRequest request = request("r1", "me");

        Delivery delivery = RequestCheck.delivery(request, NOW);

        Instant millis = Instant.parse("2026-03-01T10:00:00.123Z");
        assertThat(RequestCodec.decode(RequestCodec.encode(request)))
                .isInstanceOfSatisfying(
                        Decoded.Usable.class,
                        record -> assertThat(delivery)
                                .isEqualTo(new Delivery(
                                        record.asked(), record.digest(), RecordPosition.ofDirect(millis), millis)));
        assertThat(delivery.place().offset()).isEqualTo(millis.toEpochMilli());
        assertThat(delivery.place().isDirect()).isTrue();
    }

    @Test
    void a_request_that_a_worker_would_reject_is_rejected_as_well() {
        Delivery delivery = RequestCheck.delivery(request("r1", "x".repeat(RequestCodec.MAX_REQUESTED_BY + 1)), NOW);

        assertThat(delivery.asked()).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void an_invalid_request_id_is_refused() {
        assertThatThrownBy(() -> RequestCheck.delivery(request("", "me"), NOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a request_id must have 1 to 200 bytes of UTF-8, found 0");
    }
}
