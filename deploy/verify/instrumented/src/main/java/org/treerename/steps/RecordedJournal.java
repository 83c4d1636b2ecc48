package org.treerename.steps;

import java.util.stream.Collectors;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.steps.Step.Answer;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/** Records every write of a journal entry as a {@link Step}, with the answer of the journal. */
record RecordedJournal(Journal journal, Steps steps) implements ForwardingJournal {

    @Override
    public Prepared prepare(Attempt attempt) {
        String locks = attempt.locks().modes().entrySet().stream()
                .map(lock -> lock.getValue() + " " + lock.getKey())
                .collect(Collectors.joining("\n"));
        Step unanswered = step("prepare", attempt.entry(), Answer.UNKNOWN).taking(false, locks);
        return steps.report(
                unanswered,
                () -> journal.prepare(attempt),
                prepared -> step("prepare", attempt.entry(), answer(prepared.entry()))
                        .taking(prepared.taken(), locks));
    }

    @Override
    public WriteResult create(JournalStep step, JournalEntry entry) {
        return steps.report(
                step("create", entry, Answer.UNKNOWN),
                () -> journal.create(step, entry),
                result -> step("create", entry, answer(result)));
    }

    @Override
    public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        return steps.report(
                step("write", entry, Answer.UNKNOWN),
                () -> journal.write(step, entry, seen),
                result -> step("write", entry, answer(result)));
    }

    private static Step step(String call, JournalEntry entry, Answer answer) {
        String holdId = entry.ownership().holdId();
        return Step.of(call, entry.requestId(), answer)
                .entry(
                        entry.state().name(),
                        entry.ownership().processId(),
                        entry.ownership().epoch(),
                        holdId == null ? "" : holdId);
    }

    private static Answer answer(WriteResult result) {
        return switch (result) {
            case WriteResult.Written written -> Answer.WRITTEN;
            case WriteResult.Conflict conflict -> Answer.REFUSED;
        };
    }
}
