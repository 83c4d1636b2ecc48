package org.treerename.observe;

import io.github.resilience4j.core.IntervalFunction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.namespace.Namespace;
import org.treerename.process.ForwardingProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.request.Outcome;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.Time;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;
import org.treerename.tree.ForwardingMoveStream;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.MoveStream;
import org.treerename.tree.TreeStore;

/** Adds metrics to the stores and to the retries of a process. */
public final class Measured {

    private Measured() {}

    /**
     * Returns the given stores, with metrics for the journal and for the tree.
     *
     * @param outcomes decodes the text of an outcome
     */
    public static Stores of(Stores stores, Meters meters, Time time, Function<String, Outcome> outcomes) {
        return new Stores(
                stores.namespaces(),
                new OfJournal(stores.journal(), new Observations(meters, time, outcomes)),
                stores.locks(),
                new OfTree(stores.tree(), meters),
                stores.outcomes());
    }

    public static ProcessStore of(ProcessStore processes, Meters meters) {
        return new OfProcesses(processes, meters, new ConcurrentHashMap<>());
    }

    public static Backoff.Factory of(Backoff.Factory backoffs, Meters meters) {
        IntervalFunction intervals = backoffs.intervals();
        return new Backoff.Factory(backoffs.time(), tries -> {
            meters.count(Metric.RETRIES);
            return intervals.apply(tries);
        });
    }

    /** Reports reads and writes of journal entries to {@link Observations}. */
    private record OfJournal(Journal journal, Observations observations) implements ForwardingJournal {

        @Override
        public Prepared prepare(Attempt attempt) {
            observations.attempting(attempt.entry().requestId());
            Prepared prepared = journal.prepare(attempt);
            if (prepared.entry() instanceof WriteResult.Written) {
                observations.attempted(attempt, prepared.taken());
            }
            return prepared;
        }

        @Override
        public WriteResult create(JournalStep step, JournalEntry entry) {
            return written(step, entry, journal.create(step, entry));
        }

        @Override
        public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
            return written(step, entry, journal.write(step, entry, seen));
        }

        private WriteResult written(JournalStep step, JournalEntry entry, WriteResult result) {
            if (result instanceof WriteResult.Written) {
                observations.wrote(step, entry);
            }
            return result;
        }

        @Override
        public Optional<Versioned<JournalEntry>> read(String requestId) {
            Optional<Versioned<JournalEntry>> found = journal.read(requestId);
            found.ifPresent(entry -> observations.read(entry.value()));
            return found;
        }
    }

    /** Counts the moves of documents by result. */
    private record OfTree(TreeStore tree, Meters meters) implements ForwardingTreeStore {

        private record Counted(MoveStream stream, OfTree store) implements ForwardingMoveStream {

            @Override
            public List<MoveResult> send(List<TreeStore.Move> moves) {
                return store.countedResults(stream.send(moves));
            }

            @Override
            public List<MoveResult> finish() {
                return store.countedResults(stream.finish());
            }
        }

        @Override
        public List<Written> move(Namespace namespace, List<Move> moves) {
            return counted(tree.move(namespace, moves));
        }

        @Override
        public MoveStream moves(Namespace namespace) {
            return new Counted(tree.moves(namespace), this);
        }

        /**
         * Counts the results, and returns all of them. Does not count the results of a request without an answer,
         * because the state of the documents of this request is unknown.
         */
        private List<MoveStream.MoveResult> countedResults(List<MoveStream.MoveResult> results) {
            results.stream().filter(result -> result.silence() == null).forEach(result -> counted(result.written()));
            return results;
        }

        private List<Written> counted(List<Written> written) {
            for (Written result : written) {
                meters.count(
                        Metric.DOCUMENTS,
                        switch (result) {
                            case Written.Done done -> "moved";
                            case Written.Unknown unknown -> "unknown";
                            case Written.Refused refused -> "refused";
                        });
            }
            return written;
        }
    }

    /**
     * Counts the processes that this process fences. A write of a fenced document is counted only if the replaced
     * version was live when this process last read the document. A process that verifies a fence writes the fenced
     * document again. This second write is not counted.
     *
     * @param live the version of each process document that was live when this process last read it
     */
    private record OfProcesses(ProcessStore processes, Meters meters, Map<ProcessId, Version> live)
            implements ForwardingProcessStore {

        @Override
        public WriteResult write(ProcessDocument document, Version seen) {
            WriteResult result = processes.write(document, seen);
            boolean fenced = result instanceof WriteResult.Written && document.state() == ProcessState.FENCED;
            if (fenced && live.remove(document.id(), seen)) {
                meters.count(Metric.FENCES);
            }
            return result;
        }

        @Override
        public Optional<Versioned<ProcessDocument>> read(ProcessId id) {
            Optional<Versioned<ProcessDocument>> found = processes.read(id);
            live.remove(id);
            found.ifPresent(this::remember);
            return found;
        }

        @Override
        public List<Versioned<ProcessDocument>> read(Collection<ProcessId> ids) {
            List<Versioned<ProcessDocument>> found = processes.read(ids);
            ids.forEach(live::remove);
            found.forEach(this::remember);
            return found;
        }

        private void remember(Versioned<ProcessDocument> found) {
            if (found.value().state() == ProcessState.LIVE) {
                live.put(found.value().id(), found.version());
            }
        }
    }
}
