package org.treerename.spring;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.treerename.producer.TreeReader;

/** Reports whether Elasticsearch answers for the control index. */
final class ElasticsearchHealthIndicator extends AbstractHealthIndicator {

    private final TreeReader reader;

    ElasticsearchHealthIndicator(TreeReader reader) {
        super("cannot reach the Elasticsearch that contains the trees");
        this.reader = reader;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        reader.check();
        builder.up();
    }
}
