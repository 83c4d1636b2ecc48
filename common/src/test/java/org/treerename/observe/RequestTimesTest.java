package org.treerename.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.treerename.elastic.Elastic;
import org.treerename.installation.Installation;
import org.treerename.runtime.ManualTime;

class RequestTimesTest {

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:05Z");
    private final Meters meters = new Meters(Installation.DEFAULT);
    private final RequestTimes times = new RequestTimes(meters, Installation.DEFAULT, time);

    private void send(String request, int status) {
        Elastic.Sent sent = times.sending(request);
        time.advance(Duration.ofSeconds(2));
        sent.ended(status);
    }

    @Test
    void a_request_is_timed_by_its_api_its_index_and_its_status() {
        send("POST /tree-rename-control/_bulk", 200);
        send("POST /files-1/_search?preference=x", 429);
        send("PUT /tree-rename-control?wait_for_active_shards=1", Elastic.NO_ANSWER);
        send("DELETE /_pit", 200);

        String name = "tree_rename_elasticsearch_requests_seconds_sum";
        assertThat(meters.shown().lines())
                .contains(
                        name + "{api=\"bulk\",control=\"true\",status=\"200\"} 2.0",
                        name + "{api=\"search\",control=\"false\",status=\"429\"} 2.0",
                        name + "{api=\"index\",control=\"true\",status=\"none\"} 2.0",
                        name + "{api=\"pit\",control=\"false\",status=\"200\"} 2.0");
    }
}
