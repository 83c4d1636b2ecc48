package org.treerename.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.treerename.namespace.Namespace;
import org.treerename.producer.OutcomeListener;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameClient;
import org.treerename.producer.TreeReader;
import org.treerename.producer.fake.InMemoryRenameClient;
import org.treerename.producer.writer.TreeLocks;
import org.treerename.producer.writer.WriterSettings;

class TreeRenameAutoConfigurationTest {

    private static final String KAFKA = "tree-rename.kafka.bootstrap-servers=127.0.0.1:1";
    private static final String ELASTICSEARCH = "tree-rename.elasticsearch.urls=http://127.0.0.1:1";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TreeRenameAutoConfiguration.class,
                    RenameClientAutoConfiguration.class,
                    OutcomeListenerAutoConfiguration.class,
                    RenameHealthAutoConfiguration.class));

    private static InMemoryRenameClient fake() {
        InMemoryRenameClient fake = InMemoryRenameClient.of(Namespace.ofFiles("files", "files"));
        fake.tree("files").addDirectory("/a");
        return fake;
    }

    @Test
    void the_file_of_imports_names_every_configuration() throws Exception {
        try (var in = TreeRenameProperties.class.getResourceAsStream(
                "/META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports")) {
            assertThat(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8).lines())
                    .containsExactly(
                            TreeRenameAutoConfiguration.class.getName(),
                            RenameClientAutoConfiguration.class.getName(),
                            OutcomeListenerAutoConfiguration.class.getName(),
                            RenameHealthAutoConfiguration.class.getName());
        }
    }

    @Test
    void without_properties_there_are_no_beans() {
        runner.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(RenameClient.class)
                .doesNotHaveBean(TreeReader.class)
                .doesNotHaveBean(TreeLocks.class)
                .doesNotHaveBean(HealthIndicator.class));
    }

    @Test
    void the_address_of_elasticsearch_makes_readers_locks_and_their_health() {
        runner.withPropertyValues(ELASTICSEARCH).run(context -> {
            assertThat(context)
                    .hasSingleBean(TreeReader.class)
                    .hasSingleBean(TreeLocks.class)
                    .hasSingleBean(HealthIndicator.class)
                    .doesNotHaveBean(RenameClient.class);
            assertThat(Objects.requireNonNull(
                                    context.getBean(HealthIndicator.class).health())
                            .getStatus())
                    .isEqualTo(Status.DOWN);
        });
    }

    @Test
    void an_application_without_health_indicators_starts() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .withPropertyValues(ELASTICSEARCH)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(TreeReader.class));
    }

    @Test
    void a_client_that_cannot_connect_ends_the_start() {
        runner.withPropertyValues(KAFKA, "tree-rename.kafka.api-timeout=1s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(org.apache.kafka.common.errors.TimeoutException.class));
    }

    @Test
    void the_client_of_the_application_replaces_ours() {
        runner.withPropertyValues(KAFKA)
                .withBean(InMemoryRenameClient.class, TreeRenameAutoConfigurationTest::fake)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .getBean(RenameClient.class)
                        .isInstanceOf(InMemoryRenameClient.class));
    }

    @Test
    void binds_all_properties() {
        runner.withPropertyValues(
                        ELASTICSEARCH,
                        KAFKA,
                        "tree-rename.prefix=blue",
                        "tree-rename.kafka.api-timeout=2s",
                        "tree-rename.kafka.delivery-timeout=4s",
                        "tree-rename.kafka.ordering-depth=3",
                        "tree-rename.kafka.properties[security.protocol]=SSL",
                        "tree-rename.elasticsearch.username=me",
                        "tree-rename.elasticsearch.password=secret",
                        "tree-rename.elasticsearch.request-timeout=7s",
                        "tree-rename.writer.service=crawler",
                        "tree-rename.writer.lease=20s",
                        "tree-rename.writer.lock-wait=1m",
                        "tree-rename.writer.grace=3s")
                .withBean(InMemoryRenameClient.class, TreeRenameAutoConfigurationTest::fake)
                .run(context -> {
                    assertThat(context.getBean(ProducerSettings.class))
                            .isEqualTo(ProducerSettings.of("127.0.0.1:1")
                                    .withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(4))
                                    .withOrderingDepth(3)
                                    .withClientProperties(Map.of("security.protocol", "SSL"))
                                    .withPrefix("blue"));
                    WriterSettings locks = context.getBean(WriterSettings.class);
                    assertThat(locks.service()).isEqualTo("crawler");
                    assertThat(locks.lease().length()).isEqualTo(Duration.ofSeconds(20));
                    assertThat(locks.lockWait()).isEqualTo(Duration.ofMinutes(1));
                    assertThat(locks.grace()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(locks.requestTimeout()).isEqualTo(Duration.ofSeconds(7));
                    assertThat(locks.installation().prefix()).isEqualTo("blue");
                    assertThat(locks.authorization()).isNotNull();
                });
    }

    @Test
    void the_defaults_are_those_of_the_library() {
        runner.withPropertyValues(ELASTICSEARCH, KAFKA)
                .withBean(InMemoryRenameClient.class, TreeRenameAutoConfigurationTest::fake)
                .run(context -> {
                    assertThat(context.getBean(ProducerSettings.class)).isEqualTo(ProducerSettings.of("127.0.0.1:1"));
                    assertThat(context.getBean(WriterSettings.class))
                            .isEqualTo(WriterSettings.of("http://127.0.0.1:1"));
                });
    }

    @Test
    void refuses_a_user_and_an_api_key() {
        runner.withPropertyValues(
                        ELASTICSEARCH, "tree-rename.elasticsearch.username=me", "tree-rename.elasticsearch.api-key=abc")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .hasMessage(
                                        "expected tree-rename.elasticsearch.api-key or username, found both: remove one of them"));
    }

    @Test
    void a_listener_receives_outcomes_while_the_application_runs() {
        List<String> received = new CopyOnWriteArrayList<>();
        InMemoryRenameClient fake = fake();

        runner.withBean(InMemoryRenameClient.class, () -> fake)
                .withBean(
                        OutcomeListener.class,
                        () -> (published, position) ->
                                received.add(published.outcome().status().published()))
                .run(context ->
                        fake.send(fake.rename("files", "/a", "/b").build()).join());

        assertThat(received).containsExactly("completed");
    }

    @Test
    void several_listeners_without_a_primary_one_prevent_the_start() {
        OutcomeListener ignores = (published, position) -> {};
        ApplicationContextRunner two = runner.withBean(InMemoryRenameClient.class, () -> fake())
                .withBean("first", OutcomeListener.class, () -> ignores);

        two.withBean("second", OutcomeListener.class, () -> ignores)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(NoUniqueBeanDefinitionException.class)
                        .hasMessageContaining("first,second"));
        two.withBean("second", OutcomeListener.class, () -> ignores, definition -> definition.setPrimary(true))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void measures_requests_and_received_outcomes() {
        MeterRegistry registry = new SimpleMeterRegistry();
        InMemoryRenameClient fake = fake();
        try (MeasuredRenameClient client = new MeasuredRenameClient(fake, registry)) {
            client.subscribe(org.treerename.producer.OutcomeStart.end(), (published, position) -> {});
            client.send(client.rename("files", "/a", "/b").build()).join();
            client.follow(client.rename("files", "/none", "/b").build());
            fake.pause();
            client.submit(client.rename("files", "/b", "/c").build());

            assertThat(registry.get("tree.rename.client.requests")
                            .tag("status", "completed")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("tree.rename.client.requests")
                            .tag("status", "rejected")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("tree.rename.client.waiting").gauge().value())
                    .isEqualTo(1);
            assertThat(registry.get("tree.rename.client.received")
                            .tag("status", "completed")
                            .counter()
                            .count())
                    .isEqualTo(1);
        }
        assertThat(registry.get("tree.rename.client.requests")
                        .tag("status", "none")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("tree.rename.client.waiting").gauge().value()).isZero();
    }
}
