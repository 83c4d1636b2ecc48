package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.treerename.lock.Hold;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.path.TreePath;

class BulkTest {

    private static final Pattern ID = Pattern.compile("^\\{\"[a-z]+\":\\{\"_id\":\"([a-z]+)[:\"]", Pattern.MULTILINE);

    /** Returns the kinds of the documents that a bulk writes, in the order of its items. */
    private static List<String> kinds(StubNode.Request bulk) {
        return ID.matcher(bulk.body())
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    private static Bulk attempt(String requestId) {
        Bulk bulk = new Bulk();
        LockSet locks = LockSet.ofWriter("files", List.of(new TreePath("/a"), new TreePath("/" + requestId)));
        Hold hold = new Hold("h-" + requestId, "worker-1", new LockPriority(1, requestId));
        locks.parts().forEach((table, wanted) -> bulk.lock(LockUpdate.acquire(table, wanted, hold)));
        bulk.create("rename:" + requestId, Json.object());
        bulk.reading("watermark:0");
        bulk.reading("watermark:" + requestId);
        return bulk;
    }

    @Test
    void writes_the_entries_of_all_attempts_before_all_reads_and_all_locks() {
        List<StubNode.Request> asked = new ArrayList<>();
        JsonNode watermark = Json.object().put("offset", 7);
        GoodNode good = new GoodNode(Map.of("watermark:r2", watermark), false);
        try (StubNode node = StubNode.answering(request -> {
                    asked.add(request);
                    return good.apply(request);
                });
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)))) {
            List<List<Bulk.Item>> answers =
                    Bulk.send(List.of(attempt("r1"), attempt("r2")), elastic, "/tree-rename-control/_bulk");

            assertThat(kinds(asked.getFirst()))
                    .containsExactly(
                            "rename", "rename", "watermark", "watermark", "watermark", "locks", "locks", "locks");
            assertThat(answers).extracting(List::size).containsExactly(5, 5);
            assertThat(answers.getFirst().subList(1, 3))
                    .allSatisfy(item -> assertThat(item.isAbsent()).isTrue());
            assertThat(answers.getLast().get(1).isAbsent()).isTrue();
            assertThat(answers.getLast().get(2).source()).isEqualTo(watermark);
        }
    }
}
