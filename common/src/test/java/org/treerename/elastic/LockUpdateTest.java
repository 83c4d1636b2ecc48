package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;

final class LockUpdateTest {

    private static Hold hold(String holdId) {
        return new Hold(holdId, "worker-1", new LockPriority(1, "r-" + holdId));
    }

    private static LockUpdate acquire(String namespace, String path, String holdId) {
        TreePath at = new TreePath(path);
        return LockUpdate.acquire(
                LockTable.Id.of(namespace, at), new TreeMap<>(Map.of(at, LockMode.SHARED)), hold(holdId));
    }

    private static LockUpdate release(String path, String holdId) {
        return LockUpdate.release(
                LockTable.Id.of("files", new TreePath(path)), Release.ofRequest("r-" + holdId, Set.of(holdId)));
    }

    /** Returns the JSON that is sent for one bulk item with these updates. */
    private static JsonNode body(LockUpdate... updates) {
        return Json.read(TypedJson.bytes(LockUpdate.body(List.of(updates))));
    }

    @Test
    void puts_the_updates_of_one_table_into_one_item_with_releases_first() {
        LockUpdate first = acquire("files", "/a", "h1");
        LockUpdate ofAnotherTable = acquire("files", "/b", "h1");
        LockUpdate release = release("/a/x", "h0");
        LockUpdate second = acquire("files", "/a/b", "h2");
        LockUpdate ofAnotherTree = acquire("categories", "/a", "h3");

        assertThat(LockUpdate.shared(List.of(first, ofAnotherTable, release, second, ofAnotherTree))
                        .sequencedValues())
                .containsExactly(List.of(release, first, second), List.of(ofAnotherTable), List.of(ofAnotherTree));
    }

    @Test
    void one_item_contains_all_updates_in_their_order_and_requests_only_their_holds() {
        SortedMap<TreePath, LockMode> wanted = new TreeMap<>(Map.of(
                new TreePath("/a/x"), LockMode.EXCLUSIVE,
                new TreePath("/a/y"), LockMode.SHARED,
                new TreePath("/a/z"), LockMode.EXCLUSIVE));
        LockUpdate first = LockUpdate.acquire(LockTable.Id.of("files", new TreePath("/a")), wanted, hold("h1"));

        JsonNode body = body(release("/a/x", "h0"), first, acquire("files", "/a/b", "h2"));

        assertThat(body.path("_source").toString())
                .isEqualTo("{\"includes\":[\"protocol\",\"holds.h1\",\"holds.h2\"]}");
        assertThat(body.path("script").path("params").toString())
                .isEqualTo("{\"namespace\":\"files\",\"table\":\"02\","
                        + "\"notation\":{\"separator\":\"/\",\"leading\":true,\"quoted\":false},"
                        + "\"most_entries\":1000,\"most_characters\":500000,\"most_released\":32,\"protocol\":1,"
                        + "\"releases\":[{\"hold_ids\":[\"h0\"],\"claim_of\":\"r-h0\"}],\"asks\":["
                        + "{\"hold_id\":\"h1\",\"request_id\":\"r-h1\",\"process_id\":\"worker-1\",\"age_millis\":1,"
                        + "\"x\":[\"/a/x\",\"/a/z\"],\"s\":[\"/a/y\"]},"
                        + "{\"hold_id\":\"h2\",\"request_id\":\"r-h2\",\"process_id\":\"worker-1\",\"age_millis\":1,"
                        + "\"x\":[],\"s\":[\"/a/b\"]}]}");
    }

    /**
     * Requests of several threads are sent together only up to a limit. The limit applies to the sum of the estimated
     * sizes.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void estimates_its_size_from_its_paths(int paths) {
        SortedMap<TreePath, LockMode> wanted = new TreeMap<>();
        for (int i = 0; i < paths; i++) {
            wanted.put(new TreePath("/\u00e4/" + "n".repeat(2_000) + i), LockMode.SHARED);
        }
        LockUpdate acquisition =
                LockUpdate.acquire(LockTable.Id.of("files", new TreePath("/\u00e4")), wanted, hold("h1"));
        LockUpdate release = release("/a", "h1");

        for (LockUpdate update : List.of(acquisition, release)) {
            Bulk bulk = new Bulk();
            bulk.update(update.id(), LockUpdate.RETRIES, LockUpdate.body(List.of(update)));
            assertThat(update.bytes()).isBetween(bulk.bytes(), bulk.bytes() + 1_000);
        }
    }

    @Test
    void an_item_that_only_releases_creates_no_table() {
        JsonNode body = body(release("/a/x", "h0"), release("/a/y", "h1"));

        assertThat(body.has("upsert")).isFalse();
        assertThat(body.path("script").path("params").toString())
                .isEqualTo(
                        "{\"most_released\":32,\"protocol\":1,\"asks\":[{\"hold_ids\":[\"h0\"],\"claim_of\":\"r-h0\"},"
                                + "{\"hold_ids\":[\"h1\"],\"claim_of\":\"r-h1\"}]}");
    }

    @Test
    void the_lock_of_a_document_names_its_path() {
        TreePath at = new TreePath("/a/b");
        LockUpdate update = LockUpdate.acquire(
                LockSet.documents("files", List.of(at)).parts().firstKey(),
                new TreeMap<>(Map.of(at, LockMode.EXCLUSIVE)),
                hold("h1"));

        assertThat(body(update).path("script").path("params").toString())
                .startsWith("{\"namespace\":\"files\",\"path\":\"/a/b\",\"notation\":");
    }
}
