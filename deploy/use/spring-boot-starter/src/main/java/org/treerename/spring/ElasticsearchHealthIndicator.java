package org.treerename.spring;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.treerename.producer.TreeReader;

/** Reports whether the application can read the control index in Elasticsearch. */
final class ElasticsearchHealthIndicator extends AbstractHealthIndicator {

    private final TreeReader reader;

    ElasticsearchHealthIndicator(TreeReader reader) {
        super("the health check of Elasticsearch failed: cannot read the control index");
        this.reader = reader;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        reader.check();
        builder.up();
    }
}
