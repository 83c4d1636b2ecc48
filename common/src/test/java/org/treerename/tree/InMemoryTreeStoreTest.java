package org.treerename.tree;

import org.jspecify.annotations.Nullable;

class InMemoryTreeStoreTest extends TreeStoreContract {

    private final InMemoryTreeStore tree = new InMemoryTreeStore(PAGE);

    @Override
    protected TreeStore tree() {
        return tree;
    }

    @Override
    protected void createIndex(String name) {
        tree.createIndex(name);
    }

    @Override
    protected void alias(String alias, String... indices) {
        tree.alias(alias, indices);
    }

    @Override
    protected void put(String into, String id, @Nullable String routing, String source) {
        tree.put(into, id, routing, source);
    }

    @Override
    protected void put(String into, String id, String source, long version) {
        tree.put(into, id, null, source, version);
    }

    @Override
    protected String source(String from, String id, @Nullable String routing) {
        return tree.document(from, id).orElseThrow().source().toString();
    }
}
