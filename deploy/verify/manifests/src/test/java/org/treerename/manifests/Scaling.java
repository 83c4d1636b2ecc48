package org.treerename.manifests;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.treerename.installation.Installation;

/** Requires that a Deployment has either one autoscaler with valid limits, or a fixed number of replicas. */
final class Scaling implements Check {

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        List<Manifest> scalers = Stream.of("HorizontalPodAutoscaler", "ScaledObject")
                .flatMap(kind -> built.of(kind).stream())
                .toList();
        for (Manifest deployment : Services.deployments(built)) {
            long scaling = scalers.stream()
                    .filter(scaler -> scaler.text("/spec/scaleTargetRef/name").equals(deployment.name()))
                    .count();
            boolean hasReplicas = deployment.at("/spec/replicas").isInt();
            if (scaling > 1) {
                problems.add(deployment + " has " + scaling + " autoscalers, expected at most 1");
            }
            if (scaling > 0 && hasReplicas) {
                problems.add(deployment + " has an autoscaler and replicas: each apply would undo the scaling");
            }
            if (scaling == 0 && !hasReplicas) {
                problems.add(deployment + " has neither replicas nor an autoscaler");
            }
        }
        for (Manifest scaler : scalers) {
            boolean isKeda = scaler.kind().equals("ScaledObject");
            int minimum = scaler.at(isKeda ? "/spec/minReplicaCount" : "/spec/minReplicas")
                    .asInt();
            int maximum = scaler.at(isKeda ? "/spec/maxReplicaCount" : "/spec/maxReplicas")
                    .asInt();
            if (minimum < 1 || maximum < minimum) {
                problems.add(scaler + " scales from " + minimum + " to " + maximum);
            }
            built.find("KafkaTopic", Installation.DEFAULT.requests())
                    .map(topic -> topic.at("/spec/partitions").asInt())
                    .filter(partitions -> partitions < maximum)
                    .ifPresent(partitions -> problems.add(
                            scaler + " starts up to " + maximum + " workers for " + partitions + " partitions"));
        }
        return problems;
    }
}
