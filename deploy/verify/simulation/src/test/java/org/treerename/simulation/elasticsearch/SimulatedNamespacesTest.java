package org.treerename.simulation.elasticsearch;

import org.treerename.namespace.Namespaces;
import org.treerename.namespace.NamespacesContract;

class SimulatedNamespacesTest extends NamespacesContract {

    private final Cluster cluster = new Cluster();
    private final SimulatedNamespaces namespaces = new SimulatedNamespaces(Wire.direct(cluster), cluster);

    @Override
    protected Namespaces namespaces() {
        return namespaces;
    }

    @Override
    protected Namespaces others() {
        return namespaces;
    }

    @Override
    protected void createIndex(String index) {
        cluster.indices().create(index, 2);
    }

    @Override
    protected void alias(String alias, String... behind) {
        cluster.indices().alias(alias, behind);
    }
}
