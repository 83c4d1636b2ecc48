package org.treerename.examples.spring;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Prints the health and the metrics of the library. An application with {@code spring-boot-starter-actuator} shows the
 * health and the metrics over HTTP.
 */
@Component
@Order(2)
class Report implements ApplicationRunner {

    private final Map<String, HealthIndicator> health;
    private final MeterRegistry metrics;

    Report(Map<String, HealthIndicator> health, MeterRegistry metrics) {
        this.health = new TreeMap<>(health);
        this.metrics = metrics;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        health.forEach((name, indicator) -> {
            if (name.startsWith("treeRename")) {
                System.out.println("health: " + name + " " + indicator.health(true));
            }
        });
        System.out.println("measured: "
                + metrics.get("tree.rename.client.requests").timer().count() + " requests");
    }
}
