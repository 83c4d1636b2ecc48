package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ElasticLatencyTest {

    private static final int ROUNDS = 25;

    private final StubNode node = StubNode.answering(request -> new StubNode.Answer(200, "{}"));
    private final Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)));

    @AfterEach
    void stop() {
        elastic.close();
        node.close();
    }

    private long nanos(ObjectNode body) {
        long begun = System.nanoTime();
        elastic.post("/_search", body);
        return System.nanoTime() - begun;
    }

    private static long median(List<Long> nanos) {
        Collections.sort(nanos);
        return nanos.get(nanos.size() / 2);
    }

    /** With Nagle's algorithm it waits some 40 ms for the other side's delayed acknowledgement. */
    @Test
    void a_body_that_does_not_fit_with_its_header_is_sent_without_a_wait() {
        ObjectNode small = Json.object().put("text", "x");
        ObjectNode large = Json.object().put("text", "x".repeat(12_000));
        List<Long> ofSmall = new ArrayList<>();
        List<Long> ofLarge = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            ofSmall.add(nanos(small));
            ofLarge.add(nanos(large));
        }

        assertThat((double) median(ofLarge) / median(ofSmall)).isLessThan(8);
    }
}
