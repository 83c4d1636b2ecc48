package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.journal.Delivery;
import org.treerename.kafka.RequestCodec;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Renamer;
import org.treerename.rename.Stores;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.testservers.TestServers;

/**
 * Tests the number of requests that Elasticsearch receives for one rename. The number does not depend on the depth of
 * the path.
 */
final class RequestCountIT {

    @Test
    void a_rename_of_a_file_sends_as_many_requests_at_depth_twelve_as_at_depth_three() {
        List<String> shallow = requestsOfRenameAtDepth(3);
        List<String> deep = requestsOfRenameAtDepth(12);

        assertThat(deep).isEqualTo(shallow);
        assertThat(shallow)
                .filteredOn(r -> r.contains("tree-rename-control/_bulk"))
                .hasSize(5);
    }

    private static List<String> requestsOfRenameAtDepth(int depth) {
        Tree tree = Tree.create();
        String directory = "";
        for (int i = 1; i < depth; i++) {
            directory += "/d" + i;
            tree.directories(directory);
        }
        tree.files(directory + "/file").index();

        List<String> requests = Collections.synchronizedList(new ArrayList<>());
        Time time = new SystemTime();
        try (Elastic elastic = Elastic.connect(
                Elastic.Settings.of(TestServers.elasticsearchUrl(), Duration.ofSeconds(30)), request -> {
                    requests.add(request);
                    return status -> {};
                })) {
            ControlIndex control = new ControlIndex(elastic);
            Stores stores = new Stores(
                    new ElasticNamespaces(elastic, control),
                    new ElasticJournal(control),
                    new ElasticLockStore(control),
                    new ElasticTreeStore(elastic, new ElasticTreeStore.Limits(1_000, 1_000_000)),
                    (requestId, outcome) -> {});
            ProcessContext context = new ProcessContext(
                    "counting", time, Backoff.Factory.jittered(time), Duration.ofSeconds(10), 10, new StopSignal());
            RenameRequest request = new RenameRequest(
                    UUID.randomUUID().toString(),
                    tree.name(),
                    directory + "/file",
                    directory + "/renamed",
                    OnExisting.FAIL,
                    null);
            Delivery delivery = new Delivery(
                    request, RequestCodec.digest(request), new RecordPosition("counting", 0, 0), Instant.now());
            assertThat(new Renamer(stores, context).run(delivery)).isInstanceOf(Renamer.Answer.Published.class);
        }
        assertThat(tree.paths()).containsValue(directory + "/renamed");
        return requests.stream().map(r -> r.replace(tree.name(), "TREE")).toList();
    }
}
