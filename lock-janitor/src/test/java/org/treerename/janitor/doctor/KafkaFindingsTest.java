package org.treerename.janitor.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.installation.Installation;
import org.treerename.janitor.doctor.Finding.Level;

final class KafkaFindingsTest {

    private static final KafkaFindings FINDINGS = new KafkaFindings(Installation.DEFAULT);

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "0, WARNING, older than 4.0",
        "21, WARNING, older than 4.0",
        "25, OK, Kafka 4.0 is supported",
        "30, OK, Kafka 4.3 is supported",
        "31, WARNING, newer than the tested version"
    })
    void evaluates_versions(short level, Level expected, String words) {
        Finding finding = KafkaFindings.version(Map.of("metadata.version", level));

        assertThat(finding.level()).isEqualTo(expected);
        assertThat(finding.what()).contains(words);
    }

    @Test
    void workers_need_the_group_protocol_that_they_use() {
        Map<String, Short> active = Map.of("group.version", (short) 1);

        assertThat(KafkaFindings.protocol(active, NOTHING_KNOWN, false).level()).isEqualTo(Level.OK);
        assertThat(KafkaFindings.protocol(active, accepting("classic, consumer"), false)
                        .level())
                .isEqualTo(Level.OK);
        assertThat(KafkaFindings.protocol(active, accepting("classic"), false).level())
                .isEqualTo(Level.ERROR);
        Finding inactive = KafkaFindings.protocol(Map.of(), NOTHING_KNOWN, false);
        assertThat(inactive.level()).isEqualTo(Level.ERROR);
        assertThat(inactive.mend()).contains("--group-protocol classic", "--feature group.version=1");
        assertThat(KafkaFindings.protocol(Map.of(), NOTHING_KNOWN, true).level())
                .isEqualTo(Level.OK);
    }

    private static final KafkaConfig NOTHING_KNOWN = KafkaConfig.of(Map.of());

    private static KafkaConfig accepting(String protocols) {
        return KafkaConfig.of(Map.of("group.coordinator.rebalance.protocols", protocols));
    }

    private static final Map<String, String> REQUESTS = Map.of(
            "cleanup.policy", "delete",
            "retention.ms", "604800000",
            "retention.bytes", "-1",
            "message.timestamp.type", "LogAppendTime",
            "min.insync.replicas", "2");

    private static List<Finding> findings(
            String name, int partitions, int replicas, int inSync, Map<String, String> settings) {
        return FINDINGS.topic(
                name, Optional.of(new TopicState(name, partitions, replicas, inSync, KafkaConfig.of(settings))), 3);
    }

    private static List<Finding> with(String setting, String value) {
        Map<String, String> settings = new HashMap<>(REQUESTS);
        settings.put(setting, value);
        return findings("rename.requests", 8, 3, 3, settings);
    }

    @Test
    void a_missing_topic_is_an_error_unless_it_is_optional() {
        assertThat(FINDINGS.topic("rename.requests", Optional.empty(), 1))
                .containsExactly(Finding.error(
                        "topic rename.requests",
                        "the topic does not exist, so no request can end",
                        "create it: rename-admin topics --partitions=8 --replicas=1"));
        assertThat(FINDINGS.topic("rename.progress", Optional.empty(), 5))
                .extracting(Finding::level)
                .containsExactly(Level.WARNING);
    }

    @Test
    void accepts_a_topic_with_the_expected_settings() {
        assertThat(findings("rename.requests", 8, 3, 3, REQUESTS))
                .containsExactly(Finding.ok("topic rename.requests", "8 partitions, 3 replicas, settings as expected"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "cleanup.policy, compact, ERROR, 'cleanup.policy=compact, expected delete'",
        "message.timestamp.type, CreateTime, ERROR, 'message.timestamp.type=CreateTime, expected LogAppendTime'",
        "retention.bytes, 1000, WARNING, 'retention.bytes=1000, expected -1'",
        "retention.ms, 3600000, WARNING, Kafka deletes requests after 60 min",
        "min.insync.replicas, 1, WARNING, acknowledges a record that only one broker has",
        "min.insync.replicas, 3, WARNING, refuses records while one broker is down",
        "min.insync.replicas, 4, ERROR, so Kafka refuses records",
    })
    void finds_a_wrong_setting_of_the_requests(String setting, String value, Level level, String words) {
        assertThat(with(setting, value))
                .anySatisfy(finding -> {
                    assertThat(finding.level()).isEqualTo(level);
                    assertThat(finding.what()).contains(words);
                    assertThat(finding.mend()).isNotBlank();
                })
                .noneMatch(finding -> finding.level() == Level.OK);
    }

    @Test
    void finds_missing_replicas_and_partitions() {
        assertThat(findings("rename.requests", 1, 1, 1, REQUESTS))
                .extracting(Finding::what)
                .anyMatch(what -> what.contains("a partition has only one replica"))
                .anyMatch(what -> what.contains("the topic has one partition"));
        assertThat(findings("rename.requests", 8, 3, 2, REQUESTS))
                .extracting(Finding::what)
                .containsExactly("a partition has only 2 of 3 replicas in sync");
        assertThat(findings("rename.outcomes", 8, 3, 0, Map.of("cleanup.policy", "compact,delete")))
                .extracting(Finding::what)
                .contains("a partition has no leader, so it cannot be read or written");
        assertThat(findings("rename.progress", 8, 1, 1, Map.of("cleanup.policy", "delete")))
                .extracting(Finding::level)
                .containsExactly(Level.OK);
    }

    @Test
    void finds_wrong_policies_of_the_other_topics() {
        Map<String, String> compacted = Map.of("cleanup.policy", "compact", "min.insync.replicas", "2");
        Map<String, String> deleted = Map.of("cleanup.policy", "delete", "min.insync.replicas", "2");

        assertThat(findings("rename.outcomes", 8, 3, 3, compacted))
                .extracting(Finding::what)
                .containsExactly("cleanup.policy is compact, so Kafka keeps the outcomes of all requests for ever");
        assertThat(findings("rename.outcomes", 8, 3, 3, deleted))
                .extracting(Finding::what)
                .containsExactly("cleanup.policy is delete, so Kafka keeps every repetition of an outcome");
        assertThat(findings("rename.requests-dlt", 1, 3, 3, compacted))
                .extracting(Finding::level)
                .containsExactly(Level.ERROR);
    }

    @Test
    void reports_why_settings_cannot_be_read() {
        TopicState topic = new TopicState("rename.outcomes", 8, 3, 3, KafkaConfig.unreadable("not allowed"));
        Finding protocol = KafkaFindings.protocol(
                Map.of("group.version", (short) 1), KafkaConfig.unreadable("not allowed"), false);

        assertThat(FINDINGS.topic("rename.outcomes", Optional.of(topic), 3))
                .extracting(Finding::what)
                .contains("the settings cannot be read: not allowed");
        assertThat(protocol.level()).isEqualTo(Level.OK);
        assertThat(protocol.what()).endsWith("allows this protocol: not allowed");
    }

    @Test
    void a_record_from_the_future_shows_a_wrong_clock() {
        Instant now = Instant.parse("2024-01-01T00:00:00Z");

        assertThat(FINDINGS.clock(Optional.empty(), now)).isEmpty();
        assertThat(FINDINGS.clock(Optional.of(now.plusSeconds(5)), now)).isEmpty();
        assertThat(FINDINGS.clock(Optional.of(now.plusSeconds(90)), now))
                .extracting(Finding::what)
                .singleElement()
                .asString()
                .contains("90 s in the future");
    }
}
