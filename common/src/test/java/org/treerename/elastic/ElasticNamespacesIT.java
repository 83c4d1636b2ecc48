package org.treerename.elastic;

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

    @Override
    protected void alias(String alias, String... indices) {
        RealElastic.alias(alias, indices);
    }
}
