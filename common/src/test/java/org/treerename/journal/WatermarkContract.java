package org.treerename.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
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

/**
 * The tests that every store of the watermark must pass, with the journal that reads the watermark. There is only one
 * watermark, and it never decreases. So each test raises the watermark above the watermark of the earlier tests.
 */
public abstract class WatermarkContract {

    private static final Duration STEP = Duration.ofSeconds(1);

    private final String unique = UUID.randomUUID().toString();

    protected abstract Watermark watermark();

    protected abstract Journal journal();

    /** Raises the watermark by one step, and returns it. */
    private Instant raised() {
        Instant next = watermark().confirmed().at().plus(STEP);
        assertThat(watermark().raise(next).at()).isEqualTo(next);
        return next;
    }

    @Test
    void a_raised_watermark_is_visible_at_once_and_never_decreases() {
        Instant mark = raised();

        assertThat(watermark().raise(mark.minusMillis(1)).at()).isEqualTo(mark);
        assertThat(watermark().confirmed().at()).isEqualTo(mark);
    }

    @Test
    void each_write_returns_a_time_of_the_clock_of_the_store() {
        Instant first = watermark().confirmed().writtenAt();
        Instant second = watermark().raise(raised()).writtenAt();

        assertThat(second).isAfterOrEqualTo(first).isBefore(first.plus(Duration.ofMinutes(10)));
    }

    private JournalEntry entry(Instant appendedAt, String holdId) {
        return JournalEntry.prepared(delivery(0, appendedAt), new Ownership("worker-1", 1, holdId));
    }

    private Delivery delivery(int partition, Instant appendedAt) {
        return new Delivery(asked(), "digest", new RecordPosition("rename.requests", partition, 3), appendedAt);
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
    void an_attempt_at_the_watermark_is_not_expired() {
        Prepared prepared = prepare(entry(raised(), "h1"));

        assertThat(prepared.expired()).isFalse();
        assertThat(prepared.taken()).isTrue();
    }

    @Test
    void an_attempt_before_the_watermark_and_later_attempts_of_its_entry_are_expired() {
        Instant before = raised().minusMillis(1);

        Prepared first = prepare(entry(before, "h1"));
        Prepared second = prepare(entry(before, "h1"));

        assertThat(first.entry()).isInstanceOf(WriteResult.Written.class);
        assertThat(first.expired()).isTrue();
        assertThat(second.expired()).isTrue();
    }

    @Test
    void an_attempt_is_expired_only_if_all_records_of_its_entry_are_before_the_watermark() {
        Instant mark = raised();
        JournalEntry old = entry(mark.minusMillis(9), "h1").deliveredBy(delivery(1, mark.minusMillis(1)));
        JournalEntry sentAgain = old.deliveredBy(delivery(2, mark)).deliveredBy(delivery(3, mark.minusMillis(2)));

        assertThat(prepare(old).expired()).isTrue();
        assertThat(prepare(sentAgain).expired()).isFalse();
    }

    @Test
    void an_attempt_whose_entry_is_not_written_is_not_reported_as_expired() {
        Instant before = raised().minusMillis(1);
        prepare(entry(before, "h1"));
        JournalEntry second = entry(before, "h2");

        Prepared refused = prepare(new Attempt(JournalStep.ATTEMPT, second, null, null, hold(second), locks()));

        assertThat(refused.entry()).isEqualTo(new WriteResult.Conflict());
        assertThat(refused.expired()).isFalse();
    }

    @Test
    void an_attempt_is_expired_if_its_entry_was_deleted_and_created_again() {
        JournalEntry entry = entry(watermark().confirmed().at(), "h1");
        boolean early = prepare(entry).expired();
        Versioned<JournalEntry> found = journal().read(entry.requestId()).orElseThrow();
        raised();
        assertThat(journal().delete(List.of(found))).isEqualTo(1);

        assertThat(early).isFalse();
        assertThat(prepare(entry(entry.requestedAt(), "h2")).expired()).isTrue();
    }

    @Test
    void the_attempt_of_a_writer_does_not_expire() {
        Instant mark = raised();
        WriteTarget target = new WriteTarget("files-" + unique, List.of("/a"));
        JournalEntry held = JournalEntry.held(
                new ExternalWriter("writer-" + unique, target, mark.minusMillis(1)),
                new Ownership("writer-1", 1, "h1"));

        assertThat(prepare(held).expired()).isFalse();
    }
}
