package org.treerename.janitor.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

final class TopicCreationTest {

    private final InMemoryTopics topics = new InMemoryTopics(3);

    private void create(int replicas) {
        TopicCreation.create(topics.admin(), Installation.DEFAULT, 4, (short) replicas);
    }

    @Test
    void creates_each_topic_with_the_requested_partitions_and_replicas() {
        create(3);

        assertThat(topics.created())
                .extracting(topic -> topic.name() + " " + topic.numPartitions() + " " + topic.replicationFactor())
                .containsExactly(
                        Installation.DEFAULT.requests() + " 4 3",
                        Installation.DEFAULT.outcomes() + " 4 3",
                        Installation.DEFAULT.progress() + " 4 3",
                        Installation.DEFAULT.deadLetters() + " 1 3");
    }

    @Test
    void does_not_change_existing_topics() {
        create(1);

        create(3);

        assertThat(topics.created()).hasSize(4).allMatch(topic -> topic.replicationFactor() == 1);
    }

    @Test
    void reports_a_topic_with_more_replicas_than_brokers_as_refused() {
        assertThatThrownBy(() -> create(4))
                .isInstanceOf(RefusedException.class)
                .hasMessageMatching(
                        "Kafka refuses to create the topic rename[.a-z-]+: expected at most 3 replicas, found 4")
                .hasRootCauseInstanceOf(InvalidReplicationFactorException.class);
    }

    @Test
    void reports_a_missing_right_as_refused() {
        topics.fail(Installation.DEFAULT.progress(), new TopicAuthorizationException("no right to create"));

        assertThatThrownBy(() -> create(1))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Kafka refuses to create the topic " + Installation.DEFAULT.progress()
                        + ": no right to create");
    }

    @Test
    void reports_a_timeout_as_no_answer() {
        topics.fail(Installation.DEFAULT.requests(), new TimeoutException("200 ms are over"));

        assertThatThrownBy(() -> create(1))
                .isInstanceOf(NoAnswerException.class)
                .hasMessageStartingWith("Kafka did not confirm the creation of the topic "
                        + Installation.DEFAULT.requests() + ", which may exist now: ")
                .hasMessageEndingWith("200 ms are over");
    }

    @Test
    void reports_a_wrong_password_as_no_trust() {
        topics.fail(Installation.DEFAULT.requests(), new SaslAuthenticationException("wrong password"));

        assertThatThrownBy(() -> create(1))
                .isInstanceOfSatisfying(
                        NoAnswerException.class,
                        failure -> assertThat(failure.isAuthenticationFailure()).isTrue())
                .hasMessageContaining("wrong password");
    }
}
