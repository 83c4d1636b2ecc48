package org.treerename.observe;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Parking;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/** Records a span for each attempt and each commit. If a rename is parked, sets the status of its span to error. */
record TracedJournal(Journal journal, Spans spans) implements ForwardingJournal {

    @Override
    public Prepared prepare(Attempt attempt) {
        return spans.reported(Spans.ACQUIRE, span -> {
            Prepared prepared = journal.prepare(attempt);
            span.setAttribute(Attributes.TAKEN, prepared.taken());
            return prepared;
        });
    }

    @Override
    public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        spans.beforeWrite(entry);
        if (step == JournalStep.COMMIT) {
            return spans.reported(Spans.COMMIT, span -> journal.write(step, entry, seen));
        }
        WriteResult result = journal.write(step, entry, seen);
        Parking parking = entry.parking();
        if (step == JournalStep.PARK && parking != null && result instanceof WriteResult.Written) {
            Span rename = RenameSpan.span();
            rename.setAttribute(Attributes.STATUS, Attributes.PARKED);
            rename.setStatus(StatusCode.ERROR, parking.toString());
        }
        return result;
    }
}
