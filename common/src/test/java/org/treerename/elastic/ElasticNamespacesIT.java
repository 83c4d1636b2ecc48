package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.treerename.path.Namespace;
import org.treerename.path.Namespaces;
import org.treerename.path.NamespacesContract;

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
    void the_control_index_belongs_to_none() {
        alias(unique + "control", ControlIndex.NAME);

        assertThatThrownBy(() -> namespaces.define(Namespace.ofFiles(unique, unique + "control")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("control index");
        assertThat(others.find(unique)).isEmpty();
    }

    @Override
    protected void alias(String alias, String... indices) {
        RealElastic.alias(alias, indices);
    }
}
