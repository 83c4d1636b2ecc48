package org.treerename.janitor.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Stored;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.LockBooks;
import org.treerename.journal.State;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.namespace.Namespace;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.Time;
import org.treerename.store.RefusedException;

/**
 * Audits the control index. An auditor that has a {@link TreeAudit} audits the trees as well. The auditor changes
 * nothing. A finding that looks like a leak may belong to a rename that is just ending. So if the first reading finds a
 * leak, the auditor pauses and then reads again. The auditor returns a leak only if both readings found it. Each call
 * may throw {@link org.treerename.store.NoAnswerException}.
 */
public final class Auditor {

    /**
     * The pause between the two readings. In this time, a live process normally releases the locks of a rename that has
     * just ended.
     */
    static final Duration SETTLING = Duration.ofSeconds(2);

    /** The maximum time from the end of a process document's retention until a janitor deletes the document. */
    private static final Duration SLACK = Duration.ofHours(1);

    private final LockBooks stores;
    private final ProcessStore processes;
    private final Time time;
    private final Duration processRetention;
    private final @Nullable TreeAudit trees;

    /**
     * Creates an auditor that does not read trees.
     *
     * @param processRetention the time for which the janitors keep the documents of processes that have ended
     */
    public Auditor(LockBooks stores, ProcessStore processes, Time time, Duration processRetention) {
        this(stores, processes, time, processRetention, null);
    }

    private Auditor(
            LockBooks stores, ProcessStore processes, Time time, Duration processRetention, @Nullable TreeAudit trees) {
        this.stores = stores;
        this.processes = processes;
        this.time = time;
        this.processRetention = processRetention;
        this.trees = trees;
    }

    /** Returns an auditor that also reads trees. */
    public Auditor withTrees(TreeAudit treeAudit) {
        return new Auditor(stores, processes, time, processRetention, treeAudit);
    }

    /** Returns the findings. A leak is returned only if both readings found it. */
    public List<Finding> audit() {
        List<Finding> first = readAndAudit();
        if (first.stream().noneMatch(finding -> finding.kind().isLeak())) {
            return first;
        }
        time.pause(SETTLING);
        List<Finding> second = readAndAudit();
        return second.stream()
                .filter(finding -> !finding.kind().isLeak() || first.stream().anyMatch(finding::isSame))
                .toList();
    }

    private List<Finding> readAndAudit() {
        List<Finding> found = new ArrayList<>(
                Audit.of(read(), time.now().minus(processRetention).minus(SLACK)));
        if (trees != null) {
            found.addAll(trees.poll());
        }
        return found;
    }

    private Stored read() {
        List<LockTable> tables = stores.locks().all();
        List<String> contradictions = stores.locks().contradictions();
        Map<String, JournalEntry> entries = entries(tables);
        return new Stored(tables, contradictions, entries, processes(), needed(entries.values()));
    }

    private Map<String, LockSet> needed(Collection<JournalEntry> entries) {
        Map<String, LockSet> needed = new HashMap<>();
        for (JournalEntry entry : entries) {
            if (entry.state() == State.MOVING || entry.state() == State.PARKED) {
                namespace(entry)
                        .map(namespace -> entry.lockSetAsAsked(name -> Optional.of(namespace)))
                        .ifPresent(locks -> needed.put(entry.requestId(), locks));
            }
        }
        return needed;
    }

    /** Returns empty if the definition is not readable. Then the rename is parked, and its locks are not known. */
    private Optional<Namespace> namespace(JournalEntry entry) {
        try {
            return entry.namespace().flatMap(stores.namespaces()::find);
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }

    private Map<String, JournalEntry> entries(List<LockTable> tables) {
        Set<State> unfinished = EnumSet.copyOf(State.needingOwner());
        unfinished.add(State.PARKED);
        Set<String> ids = new LinkedHashSet<>(stores.journal().in(unfinished));
        for (LockTable table : tables) {
            table.holds().values().forEach(held -> ids.add(held.hold().requestId()));
            ids.addAll(table.claims().keySet());
        }
        Map<String, JournalEntry> entries = new HashMap<>();
        ids.forEach(id -> stores.journal().read(id).ifPresent(found -> entries.put(id, found.value())));
        return entries;
    }

    private Map<ProcessId, ProcessDocument> processes() {
        Map<ProcessId, ProcessDocument> found = new HashMap<>();
        for (ProcessState state : ProcessState.values()) {
            for (ProcessId id : processes.ids(state)) {
                processes.read(id).ifPresent(process -> found.put(id, process.value()));
            }
        }
        return found;
    }
}
