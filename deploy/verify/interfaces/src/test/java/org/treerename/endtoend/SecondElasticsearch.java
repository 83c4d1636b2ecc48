package org.treerename.endtoend;

import org.treerename.testservers.TestServers;

/**
 * The Elasticsearch of the tests that show, snapshot or restore a whole control index. Only one test class uses this
 * server at a time.
 */
final class SecondElasticsearch {

    private SecondElasticsearch() {}

    /**
     * Deletes the control index, so that a test class does not see the renames of earlier test classes. Returns a
     * client of this server.
     */
    static Elasticsearch withoutControlIndex() {
        Elasticsearch elasticsearch = Elasticsearch.at(TestServers.secondElasticsearchUrl());
        elasticsearch.send("DELETE", "/tree-rename-control", "");
        return elasticsearch;
    }
}
