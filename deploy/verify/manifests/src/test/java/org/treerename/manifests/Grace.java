package org.treerename.manifests;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.treerename.cli.DurationConverter;

/** Requires that the grace period of a pod is long enough for its preStop hook and the shutdown of the service. */
final class Grace implements Check {

    /** The extra time for the JVM to start and to finish its shutdown hooks. */
    private static final Duration EXTRA = Duration.ofSeconds(5);

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest deployment : Services.deployments(built)) {
            String before = "/spec/template/spec/containers/0/lifecycle/preStop/sleep/seconds";
            Duration needed = Duration.ofSeconds(deployment.at(before).asLong())
                    .plus(own(deployment, built))
                    .plus(EXTRA);
            Duration given = Duration.ofSeconds(deployment
                    .at("/spec/template/spec/terminationGracePeriodSeconds")
                    .asLong());
            if (given.compareTo(needed) < 0) {
                problems.add(deployment + " is killed after " + given + ", but may need " + needed);
            }
            boolean isCalled = built.of("Service").stream()
                    .anyMatch(service -> service.list("/spec/ports").stream()
                                    .anyMatch(port ->
                                            port.path("targetPort").asText().equals("api"))
                            && built.selected(service.at("/spec/selector")).anyMatch(deployment::equals));
            if (isCalled && !deployment.at(before).isInt()) {
                problems.add(deployment + " stops while it still receives requests: it has no preStop");
            }
        }
        return problems;
    }

    private static Duration own(Manifest deployment, Manifests built) {
        if (deployment.container().path("name").asText().equals("gateway")) {
            return org.treerename.producer.http.Main.GRACE;
        }
        String grace = Services.environment(deployment, built).getOrDefault("TREE_RENAME_SHUTDOWN_GRACE", "15s");
        return new DurationConverter().convert(grace);
    }
}
