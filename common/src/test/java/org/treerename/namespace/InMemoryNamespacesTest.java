package org.treerename.namespace;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

class InMemoryNamespacesTest extends NamespacesContract {

    private final Map<String, Set<String>> indices = new HashMap<>();
    private final InMemoryNamespaces namespaces =
            new InMemoryNamespaces(index -> indices.getOrDefault(index, Set.of()));

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
        indices.put(index, Set.of(index));
    }

    @Override
    protected void alias(String alias, String... behind) {
        indices.put(alias, Set.of(behind));
    }
}
