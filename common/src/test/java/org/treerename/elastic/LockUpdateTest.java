package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.treerename.lock.Age;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.Release;
import org.treerename.path.Path;

final class LockUpdateTest {

    private static LockUpdate take(String namespace, String path, String holdId) {
        return LockUpdate.acquire(
                namespace, new Path(path), LockMode.SHARED, new Hold(holdId, "worker-1", new Age(1, "r-" + holdId)));
    }

    private static LockUpdate giveBack(String path, String holdId) {
        return LockUpdate.release("files", new Path(path), Release.ofRequest("r-" + holdId, Set.of(holdId)));
    }

    @Test
    void what_many_do_to_one_lock_becomes_one_item_and_what_is_given_back_comes_first() {
        LockUpdate first = take("files", "/a", "h1");
        LockUpdate other = take("files", "/a/b", "h1");
        LockUpdate back = giveBack("/a", "h0");
        LockUpdate second = take("files", "/a", "h2");
        LockUpdate ofAnotherTree = take("categories", "/a", "h3");

        assertThat(LockUpdate.shared(List.of(first, other, back, second, ofAnotherTree))
                        .sequencedValues())
                .containsExactly(List.of(back), List.of(first, second), List.of(other), List.of(ofAnotherTree));
    }

    @Test
    void one_item_asks_for_all_of_them_in_their_order() {
        ObjectNode body = LockUpdate.body(List.of(take("files", "/a", "h1"), take("files", "/a", "h2")));

        assertThat(body.toString())
                .contains(
                        "\"namespace\":\"files\",\"path\":\"/a\",\"asks\":[{\"hold_id\":\"h1\"", "{\"hold_id\":\"h2\"");
    }
}
