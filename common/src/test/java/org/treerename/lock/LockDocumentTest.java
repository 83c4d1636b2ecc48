package org.treerename.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.treerename.lock.LockDocument.Claim;
import org.treerename.lock.LockDocument.Held;
import org.treerename.path.Path;

class LockDocumentTest {

    private static final Hold OLD = new Hold("h1", "p1", new Age(1, "r1"));
    private static final Hold MIDDLE = new Hold("h2", "p2", new Age(2, "r2"));
    private static final Hold YOUNG = new Hold("h3", "p3", new Age(3, "r3"));

    private final LockDocument empty = LockDocument.empty("files", new Path("/a"));

    @Test
    void a_refusal_leaves_the_claim_and_changes_no_hold() {
        LockDocument lock = empty.taken(OLD, LockMode.EXCLUSIVE).taken(YOUNG, LockMode.SHARED);

        assertThat(lock.holds()).containsOnly(Map.entry("h1", new Held(OLD, LockMode.EXCLUSIVE)));
        assertThat(lock.claims()).containsOnly(Map.entry("r3", new Claim(YOUNG.age(), LockMode.SHARED)));
    }

    @Test
    void a_claim_goes_before_the_younger_and_after_the_older() {
        LockDocument claimed = empty.taken(OLD, LockMode.EXCLUSIVE)
                .taken(MIDDLE, LockMode.EXCLUSIVE)
                .released(Release.ofHold("h1"));

        assertThat(claimed.taken(YOUNG, LockMode.SHARED).isHeldBy("h3")).isFalse();
        assertThat(claimed.taken(OLD, LockMode.SHARED).isHeldBy("h1")).isTrue();
        assertThat(claimed.taken(MIDDLE, LockMode.EXCLUSIVE).isHeldBy("h2")).isTrue();
    }

    @Test
    void a_later_refusal_in_another_mode_replaces_the_claim() {
        LockDocument lock = empty.taken(OLD, LockMode.EXCLUSIVE)
                .taken(YOUNG, LockMode.SHARED)
                .taken(YOUNG, LockMode.EXCLUSIVE);

        assertThat(lock.claims()).containsOnly(Map.entry("r3", new Claim(YOUNG.age(), LockMode.EXCLUSIVE)));
    }

    @Test
    void a_release_takes_only_what_it_names() {
        LockDocument lock =
                empty.taken(OLD, LockMode.SHARED).taken(MIDDLE, LockMode.SHARED).taken(YOUNG, LockMode.EXCLUSIVE);

        assertThat(lock.released(Release.ofHold("h1")).holds()).containsOnlyKeys("h2");
        assertThat(lock.released(Release.ofHold("h1")).claims()).containsOnlyKeys("r3");
        assertThat(lock.released(Release.ofRequest("r3", Set.of())).claims()).isEmpty();
        assertThat(lock.released(Release.ofHold("r3"))).isEqualTo(lock);
        assertThat(lock.released(Release.ofRequest("r3", Set.of("h1", "h2"))).isEmpty())
                .isTrue();
    }

    @Test
    void a_blocker_is_told_in_words() {
        LockDocument lock = empty.taken(OLD, LockMode.SHARED).taken(MIDDLE, LockMode.EXCLUSIVE);

        assertThat(lock.blockersOf(YOUNG, LockMode.EXCLUSIVE))
                .extracting(Object::toString)
                .isEqualTo(List.of(
                        "/a is held as shared by request r1 of process p1",
                        "/a is claimed exclusively by the older request r2"));
    }

    @Test
    void nobody_is_older_than_itself() {
        assertThat(OLD.age().isOlderThan(OLD.age())).isFalse();
        assertThat(new Age(1, "a").isOlderThan(new Age(1, "b"))).isTrue();
        assertThat(new Age(1, "b").isOlderThan(new Age(2, "a"))).isTrue();
    }
}
