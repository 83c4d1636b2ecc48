package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespaces;
import org.treerename.namespace.NamespacesContract;
import org.treerename.testservers.TestServers;

class ElasticNamespacesIT extends NamespacesContract {

    private final ElasticNamespaces namespaces = new ElasticNamespaces(RealElastic.ELASTIC, RealElastic.CONTROL);
    private final ElasticNamespaces others = new ElasticNamespaces(RealElastic.ELASTIC, RealElastic.CONTROL);

    @Override
    protected Namespaces namespaces() {
        return namespaces;
    }

    @Override
    protected Namespaces others() {
        return others;
    }

    @Override
    protected void createIndex(String index) {
        RealElastic.createTreeIndex(index, "\"max_result_window\": 10000");
    }

    @Test
    void refuses_a_namespace_on_the_control_index() {
        alias(unique + "control", Installation.DEFAULT.controlIndex());

        assertThatThrownBy(() -> namespaces.define(Namespace.ofFiles(unique, unique + "control")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("control index");
        assertThat(others.find(unique)).isEmpty();
    }

    @Test
    void withdraws_one_of_two_namespaces_that_are_defined_on_one_index_at_the_same_time() {
        Namespace late = Namespace.ofFiles(unique + "late", unique + "index");
        Namespace first = Namespace.ofFiles(unique + "first", unique + "index");
        createIndex(unique + "index");
        AtomicBoolean begun = new AtomicBoolean();
        Elastic.Settings settings = Elastic.Settings.of(TestServers.elasticsearchUrl(), Duration.ofSeconds(30));
        try (Elastic slow = Elastic.connect(settings, request -> {
            if (request.contains("_bulk") && begun.compareAndSet(false, true)) {
                others.define(first);
            }
            return status -> {};
        })) {
            Namespaces slowly = new ElasticNamespaces(slow, new ControlIndex(slow));
            assertThatThrownBy(() -> slowly.define(late))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("must not share the index " + unique + "index");
        }

        assertThat(begun).isTrue();
        assertThat(namespaces.find(late.name())).isEmpty();
        assertThat(namespaces.find(first.name())).contains(first);
    }

    @Test
    void replaces_an_existing_definition_if_no_other_namespace_uses_its_index() {
        Namespace files = Namespace.ofFiles(unique, unique + "index");
        Namespace moved = Namespace.ofFiles(unique, unique + "other");
        createIndex(files.index());
        createIndex(moved.index());
        assertThatThrownBy(() -> namespaces.redefine(files)).isInstanceOf(IllegalStateException.class);
        namespaces.define(files);
        ElasticNamespaces ofReader = new ElasticNamespaces(RealElastic.ELASTIC, RealElastic.CONTROL);
        assertThat(ofReader.current(unique)).contains(files);

        namespaces.redefine(moved);

        assertThat(ofReader.current(unique)).contains(moved);
        assertThat(others.find(unique)).contains(moved);
        assertThat(namespaces.known(unique)).contains(moved);
        others.define(Namespace.ofFiles(unique + "2", files.index()));
        assertThatThrownBy(() -> namespaces.redefine(files))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must not share the index " + files.index());
        assertThat(namespaces.stored())
                .extracting(json -> json.at("/definition/index").asText())
                .contains(moved.index());
    }

    @Override
    protected void alias(String alias, String... indices) {
        RealElastic.alias(alias, indices);
    }
}
