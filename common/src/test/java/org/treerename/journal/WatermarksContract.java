package org.treerename.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.Journal.Prepared;
import org.treerename.lock.Hold;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.path.TreePath;
import org.treerename.request.ParsedRequest;
import org.treerename.request.RecordPosition;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** The tests that every store of watermarks must pass, with the journal that reads these watermarks. */
public abstract class WatermarksContract {

    private final String unique = UUID.randomUUID().toString();
    private final String topic = "requests-" + unique;

    protected abstract Watermarks watermarks();

    protected abstract Journal journal();

    private RecordPosition at(long offset) {
        return new RecordPosition(topic, 3, offset);
    }

    private Version created(RecordPosition watermark) {
        return ((WriteResult.Written) watermarks().create(watermark)).version();
    }

    @Test
    void returns_no_watermark_of_another_partition() {
        created(new RecordPosition(topic, 4, 9));

        assertThat(watermarks().read(at(9))).isEmpty();
    }

    @Test
    void a_watermark_is_visible_at_once_for_every_offset_of_its_partition() {
        Version version = created(at(1L << 40));

        assertThat(watermarks().read(at(0))).contains(new Versioned<>(at(1L << 40), version));
    }

    @Test
    void does_not_create_a_watermark_that_exists() {
        Version version = created(at(5));

        assertThat(watermarks().create(at(6))).isEqualTo(new WriteResult.Conflict());
        assertThat(watermarks().read(at(0))).contains(new Versioned<>(at(5), version));
    }

    @Test
    void a_write_takes_effect_only_on_the_current_version() {
        Version first = created(at(5));

        Version second = ((WriteResult.Written) watermarks().write(at(6), first)).version();

        assertThat(watermarks().write(at(7), first)).isEqualTo(new WriteResult.Conflict());
        assertThat(watermarks().read(at(0))).contains(new Versioned<>(at(6), second));
    }

    @Test
    void a_write_of_an_equal_watermark_changes_the_version() {
        Version first = created(at(5));

        Version second = ((WriteResult.Written) watermarks().write(at(5), first)).version();

        assertThat(second).isNotEqualTo(first);
    }

    private JournalEntry entry(long offset, String holdId) {
        Delivery delivery = new Delivery(asked(), "digest", new RecordPosition(topic, 3, offset), Deliveries.APPENDED);
        return JournalEntry.prepared(delivery, new Ownership("worker-1", 1, holdId));
    }

    private ParsedRequest asked() {
        return Deliveries.rename("request-" + unique, "files-" + unique, "/a", "/b");
    }

    private Prepared prepare(JournalEntry entry) {
        Version seen = journal().read(entry.requestId()).map(Versioned::version).orElse(null);
        return prepare(new Attempt(JournalStep.ATTEMPT, entry, seen, null, hold(entry), locks()));
    }

    private Prepared prepare(Attempt attempt) {
        return journal().prepare(attempt);
    }

    private static Hold hold(JournalEntry entry) {
        LockPriority age = new LockPriority(0, entry.requestId());
        return new Hold(String.valueOf(entry.ownership().holdId()), "worker-1", age);
    }

    private LockSet locks() {
        return LockSet.tree("files-" + unique, new TreePath("/a"), new TreePath("/b"));
    }

    @Test
    void an_attempt_above_the_watermark_or_without_a_watermark_is_not_expired() {
        boolean without = prepare(entry(6, "h1")).expired();
        assertThat(watermarks().read(at(6))).isEmpty();
        created(at(5));
        Prepared above = prepare(entry(6, "h1"));

        assertThat(without).isFalse();
        assertThat(above.expired()).isFalse();
        assertThat(above.taken()).isTrue();
    }

    @Test
    void an_attempt_at_the_watermark_and_later_attempts_of_its_entry_are_expired() {
        created(at(5));

        Prepared first = prepare(entry(5, "h1"));
        Prepared second = prepare(entry(5, "h1"));

        assertThat(first.entry()).isInstanceOf(WriteResult.Written.class);
        assertThat(first.expired()).isTrue();
        assertThat(second.expired()).isTrue();
    }

    @Test
    void an_attempt_is_expired_if_any_record_of_its_entry_is_below_the_watermark() {
        created(at(5));
        Delivery elsewhere = new Delivery(asked(), "digest", new RecordPosition(topic, 9, 0), Deliveries.APPENDED);
        JournalEntry repeated = JournalEntry.prepared(elsewhere, new Ownership("worker-1", 1, "h1"))
                .deliveredBy(new Delivery(asked(), "digest", at(4), Deliveries.APPENDED));

        assertThat(prepare(repeated).expired()).isTrue();
    }

    @Test
    void an_attempt_whose_entry_is_not_written_is_not_reported_as_expired() {
        created(at(5));
        prepare(entry(5, "h1"));

        Prepared refused =
                prepare(new Attempt(JournalStep.ATTEMPT, entry(5, "h2"), null, null, hold(entry(5, "h2")), locks()));

        assertThat(refused.entry()).isEqualTo(new WriteResult.Conflict());
        assertThat(refused.expired()).isFalse();
    }

    @Test
    void an_attempt_is_expired_if_its_entry_was_deleted_and_created_again() {
        JournalEntry entry = entry(5, "h1");
        prepare(entry);
        Versioned<JournalEntry> found = journal().read(entry.requestId()).orElseThrow();
        created(at(5));
        assertThat(journal().delete(List.of(found))).isEqualTo(1);

        assertThat(prepare(entry(5, "h2")).expired()).isTrue();
    }
}
