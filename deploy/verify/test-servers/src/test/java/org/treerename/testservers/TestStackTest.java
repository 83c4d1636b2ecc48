package org.treerename.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TestStackTest {
    private static final Map<String, String> NOTHING = Map.of();

    @Test
    void each_name_chooses_its_stack() {
        assertThat(TestStack.named("local", NOTHING)).isInstanceOf(LocalTestStack.class);
        assertThat(TestStack.named("containers", NOTHING)).isInstanceOf(ContainerTestStack.class);
        assertThat(TestStack.named("external", NOTHING)).isInstanceOf(ExternalTestStack.class);
    }

    @Test
    void an_unknown_name_is_refused_with_the_three_valid_names() {
        assertThatThrownBy(() -> TestStack.named("lokal", NOTHING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Expected the system property stack to be local, containers or external, found 'lokal'");
    }

    @Test
    void the_environment_names_external_servers() {
        TestStack stack = TestStack.named(
                "external", Map.of("ELASTICSEARCH_URL", "http://e:1", "KAFKA_BOOTSTRAP_SERVERS", "k:2"));

        assertThat(stack.startElasticsearch()).isEqualTo("http://e:1");
        assertThat(stack.startKafka()).isEqualTo("k:2");
    }

    @Test
    void an_external_server_without_its_environment_variable_is_refused() {
        TestStack stack = TestStack.named("external", Map.of("ELASTICSEARCH_URL", " "));

        assertThatThrownBy(stack::startElasticsearch).hasMessageContaining("ELASTICSEARCH_URL");
        assertThatThrownBy(stack::startKafka).hasMessageContaining("KAFKA_BOOTSTRAP_SERVERS");
    }

    @Test
    void containers_use_the_official_images_unless_a_property_names_another() {
        var stack = new ContainerTestStack();
        // the build that runs this test may have set the property
        String before = System.clearProperty("kafka.image");
        try {
            assertThat(stack.image("kafka").asCanonicalNameString()).matches("apache/kafka:[0-9.]+");

            System.setProperty("kafka.image", "tree-rename/kafka:1");
            assertThat(stack.image("kafka").asCanonicalNameString()).isEqualTo("tree-rename/kafka:1");
        } finally {
            System.clearProperty("kafka.image");
            if (before != null) {
                System.setProperty("kafka.image", before);
            }
        }
    }

    @Test
    void a_server_that_failed_is_not_started_again() {
        var starts = new AtomicInteger();
        Once<String> once = new Once<>(() -> {
            starts.incrementAndGet();
            throw new IllegalStateException("no server");
        });

        assertThatThrownBy(once::get).hasMessage("no server");
        assertThatThrownBy(once::get).hasMessage("no server");
        assertThat(starts).hasValue(1);
    }
}
