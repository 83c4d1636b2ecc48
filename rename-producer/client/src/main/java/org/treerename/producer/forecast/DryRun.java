package org.treerename.producer.forecast;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.treerename.journal.ClosedRenames;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.LockBooks;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.producer.forecast.Forecast.Obstacle;
import org.treerename.producer.forecast.Forecast.Wait;
import org.treerename.rename.CommitCheck;
import org.treerename.rename.Validation;
import org.treerename.request.ParsedRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;
import org.treerename.tree.Document;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeSurvey;

/**
 * Predicts the result of a rename as if the rename were requested now. A dry run uses the same checks as a rename. A
 * dry run writes nothing and acquires no lock, so the result may change a moment later. Each call may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
public final class DryRun {

    private static final String UNKNOWN = "unknown";
    private static final long MOST_READ = 100_000;

    private final LockBooks books;
    private final ProcessStore processes;
    private final TreeStore tree;
    private final TreeSurvey survey;
    private final ClosedRenames closed;

    public DryRun(LockBooks books, ProcessStore processes, TreeStore tree, TreeSurvey survey, ClosedRenames closed) {
        this.books = books;
        this.processes = processes;
        this.tree = tree;
        this.survey = survey;
        this.closed = closed;
    }

    public Forecast of(ParsedRequest.RenameRequest request) {
        return switch (Validation.of(request, books.namespaces()::find)) {
            case Validation.Valid valid -> of(valid.rename());
            case Validation.Invalid invalid ->
                Forecast.refused(new Obstacle(Status.REJECTED, invalid.reason(), invalid.message()));
            case Validation.Hopeless hopeless ->
                throw new IllegalStateException("expected the validation to be valid or invalid, found " + hopeless);
        };
    }

    private Forecast of(Rename rename) {
        try {
            TreeSnapshot snapshot = tree.examine(rename);
            var unused = tree.indices(rename.namespace());
            Map<String, Long> documents =
                    rename.changesNothing() ? Map.of() : survey.documents(rename.namespace(), rename.source());
            List<CommitCheck.No> refusals = new ArrayList<>(CommitCheck.refusals(rename, snapshot));
            if (refusals.isEmpty() && !rename.changesNothing()) {
                unmovable(rename).ifPresent(refusals::add);
            }
            List<Obstacle> obstacles = refusals.stream()
                    .map(no -> new Obstacle(Status.REJECTED, no.reason(), no.message()))
                    .toList();
            return new Forecast(
                    new TreeMap<>(documents), obstacles, waits(rename), Pace.of(rename.namespace(), closed));
        } catch (RefusedException e) {
            return Forecast.refused(new Obstacle(Status.FAILED, Reason.TREE_REFUSED, String.valueOf(e.getMessage())));
        }
    }

    private Optional<CommitCheck.No> unmovable(Rename rename) {
        long read = 0;
        try (Scan scan = tree.scan(rename.namespace(), rename.source(), Reach.AT_OR_BELOW)) {
            List<Document> page = scan.nextPage();
            while (!page.isEmpty() && read < MOST_READ) {
                Optional<CommitCheck.No> no = CommitCheck.ofDocuments(rename, page);
                if (no.isPresent()) {
                    return no;
                }
                read += page.size();
                page = scan.nextPage();
            }
        }
        return Optional.empty();
    }

    private List<Wait> waits(Rename rename) {
        LockSet wanted = rename.lockSet();
        // This hold is younger than every claim in the tables, so every conflicting claim blocks it.
        Hold hold = new Hold("", "", new LockPriority(Long.MAX_VALUE, rename.requestId()));
        List<Wait> waits = new ArrayList<>();
        SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts = wanted.parts();
        for (LockTable table : books.locks().read(parts.keySet())) {
            table.blockersOf(hold, parts.getOrDefault(table.id(), new TreeMap<>())).stream()
                    .flatMap(blocker -> wait(table, blocker).stream())
                    .forEach(waits::add);
        }
        return waits;
    }

    /** Returns empty for a dead hold, because a rename that finds a dead hold removes it and does not wait. */
    private Optional<Wait> wait(LockTable table, Blocker blocker) {
        Optional<JournalEntry> entry = books.journal().read(blocker.requestId()).map(Versioned::value);
        Optional<Hold> held = blocker.held().map(LockTable.Held::hold);
        boolean isDead = held.isPresent()
                && entry.filter(found -> !found.mayHold(held.get())).isPresent();
        if (isDead) {
            return Optional.empty();
        }
        LockPriority priority = held.map(Hold::age).orElseGet(() -> priorityOfClaim(table, blocker));
        String processId = entry.map(found -> found.ownership().processId())
                .or(() -> held.map(Hold::processId))
                .orElse("");
        return Optional.of(
                new Wait(blocker, processId, state(processId), Instant.ofEpochMilli(priority.appendedAtMillis())));
    }

    private static LockPriority priorityOfClaim(LockTable table, Blocker blocker) {
        LockTable.Claim claim = table.claims().get(blocker.requestId());
        if (claim == null) {
            throw new IllegalStateException(
                    "expected a claim of the blocker in its lock table, found none: " + blocker);
        }
        return claim.age();
    }

    private String state(String processId) {
        return processId.isEmpty()
                ? UNKNOWN
                : processes
                        .read(new ProcessId(processId))
                        .map(found -> found.value().state().stored())
                        .orElse(UNKNOWN);
    }
}
