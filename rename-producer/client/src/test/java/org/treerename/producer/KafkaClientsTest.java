package org.treerename.producer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.treerename.kafka.ConfigRecorder;

class KafkaClientsTest {

    private static KafkaClients clients(String id) {
        return new KafkaClients(
                ProducerSettings.of("127.0.0.1:1").withClientProperties(ConfigRecorder.properties(id)), id);
    }

    /**
     * A request that is not on every in-sync replica could get lost with its broker after the caller was informed that
     * it is accepted. A resend that is not idempotent could double requests, or change their order.
     */
    @Test
    void the_producer_waits_for_all_replicas_and_sends_nothing_twice() {
        clients("producer").producer().close();

        assertThat(ConfigRecorder.of("producer"))
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", true)
                .doesNotContainKey("max.in.flight.requests.per.connection");
    }

    /**
     * A group without a committed offset must receive the outcomes that exist already. An offset that is committed
     * automatically could skip outcomes that the listener has not processed.
     */
    @Test
    void a_consumer_begins_with_the_oldest_outcome_and_commits_nothing_itself() {
        clients("alone").consumer().close();
        clients("group").consumer("a-group").close();

        for (String id : new String[] {"alone", "group"}) {
            assertThat(ConfigRecorder.of(id))
                    .as(id)
                    .containsEntry("auto.offset.reset", "earliest")
                    .containsEntry("enable.auto.commit", false)
                    .containsEntry("allow.auto.create.topics", false);
        }
        assertThat(ConfigRecorder.of("group").get("group.id")).isEqualTo("a-group");
    }
}
