package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.treerename.cli.Settings;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.installation.Installation;
import org.treerename.kafka.ConfigRecorder;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.process.Lease;
import org.treerename.service.ServiceCommandLine;
import org.treerename.service.ServiceCommandLine.Ended;
import org.treerename.service.ServiceSettings;
import picocli.CommandLine;

final class MainTest {

    private static final String[] SERVERS = {"--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x"};

    /** The settings of a service whose request timeout is 30 seconds. */
    private static final ServiceSettings SHARED = new ServiceSettings(
            null,
            KafkaClientSettings.of("x:1"),
            Elastic.Settings.of("http://x", Duration.ofSeconds(30)),
            0,
            new Lease(Duration.ofSeconds(30)),
            ElasticTreeStore.Limits.DEFAULT,
            10,
            null,
            Duration.ofSeconds(15));

    @Test
    void refuses_a_mistyped_variable_and_suggests_the_nearest_known_one() {
        CommandLine command = Main.command();
        assertThatThrownBy(() -> Settings.of(Map.of("TREE_RENAME_LOCKWAIT", "1s"), command))
                .hasMessageContaining("TREE_RENAME_LOCKWAIT")
                .hasMessageContaining("did you mean TREE_RENAME_LOCK_WAIT?");
    }

    @Test
    void refuses_invalid_and_missing_options_with_the_reason() {
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--lease=100ms"))
                .isEqualTo(new Ended(2, "rename-worker: a lease must be at least 500ms long, found 100ms\n"));
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--page-size=0"))
                .isEqualTo(new Ended(2, "rename-worker: a page must have 1 to 100000 documents, found 0\n"));
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--lease=5")
                        .error())
                .contains("a duration must be a number and a unit (ms, s, m, h or d), for example 30s, found \"5\"");
        assertThat(run("--elasticsearch-url=http://x").error()).contains("--kafka-bootstrap-servers");
    }

    @Test
    void has_no_option_that_halts_it() {
        Ended ended = runWithServers("--crash-at=AFTER_COMMIT");

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.error()).startsWith("rename-worker: unknown option --crash-at ");
    }

    /** Returns the settings of a worker that was started with these options. */
    private static WorkerSettings settings(String... options) {
        return settings(SHARED, options);
    }

    private static WorkerSettings settings(ServiceSettings shared, String... options) {
        CommandLine command = Main.command();
        List<String> arguments = new ArrayList<>(List.of(SERVERS));
        arguments.addAll(List.of(options));
        command.parseArgs(arguments.toArray(String[]::new));
        Main main = command.getCommand();
        return main.settings(shared);
    }

    @Test
    void uses_the_consumer_group_of_its_installation_unless_an_option_names_another() {
        ServiceSettings blue = new ServiceSettings(
                null,
                SHARED.kafka().in(new Installation("blue")),
                SHARED.elasticsearch(),
                0,
                SHARED.lease(),
                SHARED.limits(),
                SHARED.maxPasses(),
                null,
                SHARED.shutdownGrace());

        assertThat(settings().group().id()).isEqualTo("rename-workers");
        assertThat(settings(blue).group().id()).isEqualTo("blue.rename-workers");
        assertThat(settings(blue, "--group-id=g").group().id()).isEqualTo("g");
    }

    @Test
    void refuses_an_invalid_prefix() {
        assertThat(run(SERVERS[0], SERVERS[1], "--prefix=Blue").error())
                .startsWith("rename-worker: the prefix must have 1 to 63 characters of a-z, 0-9 and hyphens")
                .endsWith("was \"Blue\"\n");
    }

    @Test
    void sets_the_window_and_the_concurrency() {
        assertThat(settings().window()).isEqualTo(new ConsumerLimits(1_024, 10_000));
        assertThat(settings("--concurrency=3", "--window=20").window()).isEqualTo(new ConsumerLimits(3, 20));
    }

    @Test
    void refuses_a_window_of_fewer_requests_than_run_at_once() {
        assertThat(runWithServers("--window=1023"))
                .isEqualTo(new Ended(
                        2,
                        "rename-worker: --window must be at least --concurrency (1024) and at most 1000000, was"
                                + " 1023\n"));
        assertThat(runWithServers("--window=many").error()).contains("'--window'", "'many' is not an int");
    }

    @Test
    void sets_after_how_long_a_rename_is_stuck() {
        assertThat(settings().stuckAfter()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings("--stuck-after=90s").stuckAfter()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void refuses_a_stuck_time_below_two_request_timeouts() {
        assertThat(runWithServers("--stuck-after=59s"))
                .isEqualTo(new Ended(
                        2,
                        "rename-worker: --stuck-after must be at least two request timeouts (30s each),"
                                + " was 59s\n"));
    }

    @Test
    void refuses_fewer_than_two_passes() {
        assertThat(runWithServers("--max-passes=1"))
                .isEqualTo(new Ended(
                        2, "rename-worker: the maximum number of passes of a rename must be at least 2, was 1\n"));
    }

    @Test
    void refuses_a_process_name_with_a_blank() {
        assertThat(runWithServers("--process-name=my pod"))
                .isEqualTo(new Ended(
                        2,
                        "rename-worker: a process name must have 1 to 63 characters of A-Z, a-z, 0-9, . and -,"
                                + " found \"my pod\"\n"));
    }

    @Test
    void refuses_tries_and_waits_outside_their_range() {
        assertThat(runWithServers("--max-tries=0").error()).contains("--max-tries must be 1 to 100, was 0");
        assertThat(runWithServers("--max-tries=101").error()).contains("--max-tries must be 1 to 100, was 101");
        assertThat(runWithServers("--after-timeout=0s").error())
                .contains("--after-timeout must be greater than 0, was 0s");
    }

    @Test
    void uses_the_group_protocol_of_its_option() {
        Map<String, Object> consumer = settings("--group-id=g").consumer();
        Map<String, Object> classic =
                settings("--group-id=g", "--group-protocol=CLASSIC").consumer();

        assertThat(consumer)
                .containsEntry("group.id", "g")
                .containsEntry("group.protocol", "consumer")
                .containsEntry("enable.auto.commit", false)
                .doesNotContainKey("partition.assignment.strategy");
        assertThat(classic)
                .containsEntry("group.protocol", "classic")
                .containsEntry("partition.assignment.strategy", CooperativeStickyAssignor.class.getName());
    }

    /**
     * A group without a committed offset must receive the requests that wait already. A request of an aborted
     * transaction was never sent. An offset that is committed automatically could skip a request that has not ended. A
     * topic that Kafka creates automatically would not have the required settings.
     */
    @Test
    void the_consumer_begins_with_the_oldest_request_and_reads_only_committed_ones() {
        for (String protocol : List.of("CONSUMER", "CLASSIC")) {
            KafkaClientSettings.of("127.0.0.1:1")
                    .with(ConfigRecorder.properties(protocol))
                    .client(
                            settings("--group-id=g", "--group-protocol=" + protocol)
                                    .consumer(),
                            all -> new KafkaConsumer<>(all))
                    .close(CloseOptions.timeout(Duration.ZERO));

            assertThat(ConfigRecorder.of(protocol))
                    .as(protocol)
                    .containsEntry("auto.offset.reset", "earliest")
                    .containsEntry("isolation.level", "read_committed")
                    .containsEntry("enable.auto.commit", false)
                    .containsEntry("allow.auto.create.topics", false);
        }
    }

    private static Ended runWithServers(String option) {
        return ServiceCommandLine.run(Main.command(), SERVERS[0], SERVERS[1], option);
    }

    private static Ended run(String... arguments) {
        return ServiceCommandLine.run(Main.command(), arguments);
    }
}
