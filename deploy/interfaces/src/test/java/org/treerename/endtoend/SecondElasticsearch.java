package org.treerename.endtoend;

import org.treerename.testservers.TestServers;

/** The Elasticsearch of the tests that show, snapshot or restore a whole control index. One class uses it at a time. */
final class SecondElasticsearch {

    private SecondElasticsearch() {}

    /** Deletes its control index, so that a test class sees nothing of the classes before it. */
    static Elasticsearch withoutControlIndex() {
        Elasticsearch elasticsearch = Elasticsearch.at(TestServers.secondElasticsearchUrl());
        elasticsearch.send("DELETE", "/tree-rename-control", "");
        return elasticsearch;
    }
}
