package org.treerename.janitor.doctor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.TopicConfig;
import org.treerename.installation.Installation;
import org.treerename.kafka.KafkaVersion;
import org.treerename.kafka.RequestTopic;

/** Checks the version, the group protocol, the clock and the topics of Kafka, and returns findings. */
final class KafkaFindings {

    static final String VERSION = "kafka version";
    static final String PROTOCOL = "kafka group protocol";
    static final String CLOCK = "clock";

    private static final String PROTOCOLS = "group.coordinator.rebalance.protocols";
    private static final String GROUPS = "group.version";

    /** Kafka deletes a request after the retention time, even if no worker has read the request. */
    private static final Duration LEAST_RETENTION = Duration.ofDays(1);

    private static final Duration LARGEST_DIFFERENCE = Duration.ofSeconds(5);

    private final Installation names;

    /** @param names the names of the topics */
    KafkaFindings(Installation names) {
        this.names = names;
    }

    /**
     * Returns ok if the metadata version of the cluster belongs to a supported version of Kafka, and a warning
     * otherwise.
     */
    static Finding version(Map<String, Short> features) {
        KafkaVersion version = KafkaVersion.of(features);
        return version.isSupported()
                ? Finding.ok(VERSION, version.what())
                : Finding.warning(VERSION, version.what(), version.mend());
    }

    /**
     * Returns ok if the brokers support the group protocol of the workers, and an error otherwise.
     *
     * @param broker the settings of a broker
     * @param isClassic whether the workers use the classic protocol
     */
    static Finding protocol(Map<String, Short> features, KafkaConfig broker, boolean isClassic) {
        if (isClassic) {
            return Finding.ok(PROTOCOL, "workers with --group-protocol classic can use these brokers");
        }
        Optional<String> protocols = Optional.ofNullable(broker.values().get(PROTOCOLS));
        boolean isAccepted = protocols
                .map(all -> Arrays.stream(all.split(",")).map(String::strip).anyMatch("consumer"::equals))
                .orElse(true);
        boolean isActive = features.getOrDefault(GROUPS, (short) 0) >= 1;
        if (isActive && isAccepted) {
            String unknown = broker.refusal()
                    .map(why -> "; cannot read whether " + PROTOCOLS + " allows this protocol: " + why)
                    .orElse("");
            return Finding.ok(PROTOCOL, "the brokers support the group protocol consumer" + unknown);
        }
        return Finding.error(
                PROTOCOL,
                "the brokers do not support the group protocol consumer ("
                        + (isActive
                                ? PROTOCOLS + " is " + protocols.orElse("")
                                : "the feature " + GROUPS + " is not active")
                        + "), so workers with default settings cannot join their group",
                "start workers with --group-protocol classic, or "
                        + (isActive
                                ? "add consumer to " + PROTOCOLS
                                : "activate the feature: kafka-features.sh --bootstrap-server HOST:PORT upgrade --feature "
                                        + GROUPS + "=1"));
    }

    /**
     * Compares the latest time stamp that a broker assigned with the clock of this machine. Returns a warning if the
     * time stamp is too far ahead, and an empty list otherwise.
     */
    List<Finding> clock(Optional<Instant> latest, Instant now) {
        return latest.filter(time -> Duration.between(now, time).compareTo(LARGEST_DIFFERENCE) > 0)
                .map(time -> List.of(Finding.warning(
                        CLOCK,
                        "the latest record of " + names.requests() + " has a time that is "
                                + Duration.between(now, time).toSeconds()
                                + " s in the future, so the clock of a broker is ahead of the clock of this machine."
                                + " The programs show wrong ages of requests",
                        "synchronise the clocks, for example with NTP")))
                .orElse(List.of());
    }

    /**
     * Checks the existence, the replicas and the settings of a topic, and returns the problems. Returns one finding
     * with the level ok if there is no problem.
     */
    List<Finding> topic(String name, Optional<TopicState> found, int brokers) {
        String subject = "topic " + name;
        if (found.isEmpty()) {
            String create = "create it: rename-admin topics --partitions=8 --replicas=" + Math.min(3, brokers)
                    + (names.prefix().isEmpty() ? "" : " --prefix=" + names.prefix());
            return List.of(
                    name.equals(names.progress())
                            ? Finding.warning(subject, "the topic does not exist, so no progress is reported", create)
                            : Finding.error(
                                    subject,
                                    name.equals(names.deadLetters())
                                            ? "the topic does not exist, so workers cannot send dead letters"
                                            : "the topic does not exist, so no request can end",
                                    create));
        }
        TopicState topic = found.get();
        List<Finding> findings = new ArrayList<>();
        copies(subject, topic, brokers, findings);
        if (topic.config().refusal().isPresent()) {
            findings.add(Finding.warning(
                    subject,
                    "the settings cannot be read: " + topic.config().refusal().get(),
                    "give the user of this command the right DescribeConfigs on the topic"));
        } else {
            settings(subject, topic, findings);
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(
                    subject,
                    topic.partitions() + (topic.partitions() == 1 ? " partition, " : " partitions, ") + topic.replicas()
                            + " replicas, settings as expected"));
        }
        return findings;
    }

    private void copies(String subject, TopicState topic, int brokers, List<Finding> findings) {
        long least = topic.number(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, 1);
        boolean isOptional = topic.name().equals(names.progress());
        if (topic.inSync() == 0) {
            findings.add(Finding.error(
                    subject,
                    "a partition has no leader, so it cannot be read or written",
                    "start the missing brokers"));
        } else if (topic.inSync() < least) {
            findings.add(Finding.error(
                    subject,
                    "a partition needs " + least + " replicas in sync (min.insync.replicas) and has " + topic.inSync()
                            + ", so Kafka refuses records",
                    "start the missing brokers"));
        } else if (topic.inSync() < topic.replicas()) {
            findings.add(Finding.warning(
                    subject,
                    "a partition has only " + topic.inSync() + " of " + topic.replicas() + " replicas in sync",
                    "start the missing brokers, and wait until the replicas are in sync"));
        }
        if (isOptional) {
            return;
        }
        if (topic.replicas() == 1) {
            findings.add(Finding.warning(
                    subject,
                    "a partition has only one replica. If the disk of its broker fails, the records of the partition"
                            + " are lost",
                    brokers < 2
                            ? "use three brokers, and create the topic with three replicas"
                            : "give the topic " + Math.min(3, brokers) + " replicas (kafka-reassign-partitions.sh)"));
        } else if (least < 2) {
            findings.add(Finding.warning(
                    subject,
                    "min.insync.replicas is 1, so Kafka acknowledges a record that only one broker has",
                    alter(topic.name(), TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "2")));
        } else if (least >= topic.replicas()) {
            findings.add(Finding.warning(
                    subject,
                    "min.insync.replicas is " + least + ", and the topic has " + topic.replicas()
                            + " replicas, so Kafka refuses records while one broker is down",
                    "add one replica to the topic (kafka-reassign-partitions.sh)"));
        }
    }

    private void settings(String subject, TopicState topic, List<Finding> findings) {
        if (topic.name().equals(names.requests())) {
            requests(subject, topic, findings);
        } else if (topic.name().equals(names.outcomes())) {
            outcomes(subject, topic, findings);
        } else if (topic.name().equals(names.deadLetters())) {
            deadLetters(subject, topic, findings);
        }
    }

    private static void requests(String subject, TopicState topic, List<Finding> findings) {
        RequestTopic settings = new RequestTopic(
                topic.name(),
                topic.settings().getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, ""),
                topic.number(TopicConfig.RETENTION_MS_CONFIG, -1),
                topic.number(TopicConfig.RETENTION_BYTES_CONFIG, -1),
                topic.settings().getOrDefault(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, ""));
        settings.problem().ifPresent(problem -> findings.add(split(Finding.Level.ERROR, subject, problem)));
        settings.remark().ifPresent(remark -> findings.add(split(Finding.Level.WARNING, subject, remark)));
        settings.kept()
                .filter(kept -> kept.compareTo(LEAST_RETENTION) < 0)
                .ifPresent(kept -> findings.add(Finding.warning(
                        subject,
                        "Kafka deletes requests after " + kept.toMinutes()
                                + " min (retention.ms), even if no worker has read them",
                        alter(topic.name(), TopicConfig.RETENTION_MS_CONFIG, "604800000"))));
        if (topic.partitions() == 1) {
            findings.add(Finding.warning(
                    subject,
                    "the topic has one partition, so only one worker receives requests",
                    "increase the number of partitions while no request waits: kafka-topics.sh --bootstrap-server"
                            + " HOST:PORT --alter --topic " + topic.name() + " --partitions 8"));
        }
    }

    /** The text before the last semicolon describes the problem, and the text after it the correction. */
    private static Finding split(Finding.Level level, String subject, String sentence) {
        int at = sentence.lastIndexOf("; ");
        return new Finding(level, subject, sentence.substring(0, at), sentence.substring(at + 2));
    }

    private static void outcomes(String subject, TopicState topic, List<Finding> findings) {
        String policy = topic.settings().getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "");
        Set<String> policies = new TreeSet<>();
        Arrays.stream(policy.split(",")).map(String::strip).forEach(policies::add);
        if (!policies.equals(Set.of("compact", "delete"))) {
            findings.add(Finding.warning(
                    subject,
                    policies.contains("delete")
                            ? "cleanup.policy is " + policy + ", so Kafka keeps every repetition of an outcome"
                            : "cleanup.policy is " + policy + ", so Kafka keeps the outcomes of all requests for ever",
                    alter(topic.name(), TopicConfig.CLEANUP_POLICY_CONFIG, "[compact,delete]")));
        }
    }

    private static void deadLetters(String subject, TopicState topic, List<Finding> findings) {
        Set<String> policies = Set.of(topic.settings()
                .getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "delete")
                .split(","));
        if (policies.contains("compact")) {
            findings.add(Finding.error(
                    subject,
                    "the topic is compacted, so Kafka refuses dead letters without a key and keeps only the newest dead"
                            + " letter of each key",
                    alter(topic.name(), TopicConfig.CLEANUP_POLICY_CONFIG, "delete")));
        }
    }

    private static String alter(String topic, String setting, String value) {
        return "kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type topics --entity-name " + topic
                + " --add-config " + setting + "=" + value;
    }
}
