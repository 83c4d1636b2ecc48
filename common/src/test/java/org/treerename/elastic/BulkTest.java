package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.treerename.lock.Age;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.path.Path;

class BulkTest {

    private static final Pattern ID = Pattern.compile("^\\{\"[a-z]+\":\\{\"_id\":\"([a-z]+)[:\"]", Pattern.MULTILINE);

    /** The kinds of the documents that a bulk writes, in the order of its items. */
    private static List<String> kinds(StubNode.Request bulk) {
        return ID.matcher(bulk.body())
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    private static Bulk attempt(String requestId) {
        Bulk bulk = new Bulk();
        for (String path : List.of("/a", "/" + requestId)) {
            bulk.lock(LockUpdate.acquire(
                    "files",
                    new Path(path),
                    LockMode.SHARED,
                    new Hold("h-" + requestId, "worker-1", new Age(1, requestId))));
        }
        bulk.create("rename:" + requestId, Json.object());
        return bulk;
    }

    @Test
    void the_entries_of_all_attempts_in_one_request_come_before_all_locks() {
        List<StubNode.Request> asked = new ArrayList<>();
        GoodNode good = new GoodNode(Map.of(), false);
        try (StubNode node = StubNode.answering(request -> {
                    asked.add(request);
                    return good.apply(request);
                });
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)))) {
            List<List<Bulk.Item>> answers =
                    Bulk.send(List.of(attempt("r1"), attempt("r2")), elastic, "/tree-rename-control/_bulk");

            assertThat(kinds(asked.getFirst())).containsExactly("rename", "rename", "lock", "lock", "lock");
            assertThat(answers).extracting(List::size).containsExactly(3, 3);
        }
    }
}
