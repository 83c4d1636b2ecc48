package org.treerename.manifests;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.treerename.wire.Topics;

/** Whoever scales a Deployment does so alone, in limits that make sense; where nobody does its replicas are said. */
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
                problems.add(deployment + " is scaled by " + scaling);
            }
            if (scaling > 0 && hasReplicas) {
                problems.add(deployment + " is scaled, and each apply would undo that by its replicas");
            }
            if (scaling == 0 && !hasReplicas) {
                problems.add(deployment + " has no replicas, and nobody scales it");
            }
        }
        for (Manifest scaler : scalers) {
            boolean isKeda = scaler.kind().equals("ScaledObject");
            int least = scaler.at(isKeda ? "/spec/minReplicaCount" : "/spec/minReplicas")
                    .asInt();
            int most = scaler.at(isKeda ? "/spec/maxReplicaCount" : "/spec/maxReplicas")
                    .asInt();
            if (least < 1 || most < least) {
                problems.add(scaler + " scales from " + least + " to " + most);
            }
            built.find("KafkaTopic", Topics.REQUESTS)
                    .map(topic -> topic.at("/spec/partitions").asInt())
                    .filter(partitions -> partitions < most)
                    .ifPresent(partitions -> problems.add(
                            scaler + " starts up to " + most + " workers for " + partitions + " partitions"));
        }
        return problems;
    }
}
