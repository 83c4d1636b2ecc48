package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.treerename.stack.ChildProcess;

/** A worker that is asked to stop gives back what it has not decided. */
final class StoppingIT {

    @Test
    void aRenameThatWaitsForALockIsGivenBackAndCompletedByTheNextWorker() {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        String holder = UUID.randomUUID().toString();
        Holding.of(tree.name(), "/a", holder);
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        try (Log log = Log.open();
                Workers first = Workers.start(1)) {
            log.send(0, request.toString());
            Awaitility.await("the request is refused a lock")
                    .atMost(Log.PATIENCE)
                    .until(() ->
                            Holding.lock(tree.name(), "/a").path("claim_ids").size() == 1);
            String owner = entry(request).path("owner").asText();

            first.processes().getFirst().stop(ChildProcess.PATIENCE);

            assertThat(entry(request).path("state").asText()).isEqualTo("retry");
            assertThat(entry(request).path("hold_id").isNull()).isTrue();
            JsonNode lock = Holding.lock(tree.name(), "/a");
            assertThat(lock.path("claim_ids")).isEmpty();
            assertThat(lock.path("hold_ids")).hasSize(1);
            assertThat(Es.control("process").stream()
                            .filter(p -> p.path("process_id").asText().equals(owner))
                            .map(p -> p.path("state").asText()))
                    .containsExactly("stopped");
            assertThat(log.outcomes(Requests.id(request))).isEmpty();

            Holding.release(tree.name(), "/a", holder);
            try (Workers second = Workers.start(1)) {
                JsonNode outcome = log.outcome(Requests.id(request));
                assertThat(outcome.path("status").asText()).isEqualTo("completed");
            }
        }
        assertThat(tree.paths().values()).containsExactly("/b", "/b/f");
        assertThat(Es.control("lock")).isEmpty();
    }

    private static JsonNode entry(ObjectNode request) {
        return Es.entry(Requests.id(request)).orElseThrow();
    }
}
