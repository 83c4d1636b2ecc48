package org.treerename.observe;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.namespace.Namespace;
import org.treerename.process.ForwardingProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Reason;
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

    /** Returns the given stores, with metrics for the journal and for the tree. */
    public static Stores of(Stores stores, Meters meters, Time time) {
        return new Stores(
                stores.namespaces(),
                new OfJournal(stores.journal(), meters, time),
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

    /**
     * Derives metrics of renames from the reads and writes of journal entries. This class stores the waits for locks of
     * at most {@value #KEPT} renames. If there are more waits, this class drops the least recently used waits, and does
     * not measure the dropped waits.
     */
    private static final class OfJournal implements ForwardingJournal {

        private static final int KEPT = 10_000;

        /**
         * The wait of a rename for its locks.
         *
         * @param attemptedNanos the time at which the wait began, as far as this process knows
         * @param lockedNanos the time of the last acquired lock if the rename may need more locks; otherwise null
         */
        private record Wait(long attemptedNanos, @Nullable Long lockedNanos) {}

        private final Journal journal;
        private final Meters meters;
        private final Time time;

        private final Map<String, Wait> waits = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Wait> eldest) {
                return size() > KEPT;
            }
        };

        OfJournal(Journal journal, Meters meters, Time time) {
            this.journal = journal;
            this.meters = meters;
            this.time = time;
        }

        @Override
        public Journal journal() {
            return journal;
        }

        @Override
        public Prepared prepare(Attempt attempt) {
            attempting(attempt.entry().requestId());
            Prepared prepared = journal.prepare(attempt);
            if (prepared.entry() instanceof WriteResult.Written) {
                attempted(attempt, prepared.taken());
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
                wrote(step, entry);
            }
            return result;
        }

        @Override
        public Optional<Versioned<JournalEntry>> read(String requestId) {
            Optional<Versioned<JournalEntry>> found = journal.read(requestId);
            found.ifPresent(entry -> wasRead(entry.value()));
            return found;
        }

        private synchronized void attempting(String requestId) {
            waits.putIfAbsent(requestId, new Wait(time.nanos(), null));
        }

        private synchronized void attempted(Attempt attempt, boolean taken) {
            String requestId = attempt.entry().requestId();
            Wait wait = waits.get(requestId);
            boolean needsMore = attempt.isFollowed() || attempt.step() == JournalStep.FURTHER_LOCKS;
            if (!taken) {
                meters.count(Metric.LOCK_REFUSALS);
            } else if (wait != null && needsMore) {
                waits.put(requestId, new Wait(wait.attemptedNanos(), time.nanos()));
            } else if (wait != null) {
                waited(wait, time.nanos());
            }
        }

        private void waited(Wait wait, long untilNanos) {
            meters.time(Metric.LOCK_WAIT, Duration.ofNanos(untilNanos - wait.attemptedNanos()));
        }

        /** Removes the wait of a rename in the state RETRY or CLOSED, so that the next attempt begins a new wait. */
        private synchronized void wasRead(JournalEntry entry) {
            if (entry.state() == State.RETRY || entry.state() == State.CLOSED) {
                waits.remove(entry.requestId());
            }
        }

        private synchronized void wrote(JournalStep step, JournalEntry entry) {
            switch (step) {
                case COMMIT -> waitEnds(entry);
                case END, NOT_DELIVERED, CANCEL, ABANDON -> {
                    waitEnds(entry);
                    ended(entry);
                }
                case RETRY, CLOSE -> waits.remove(entry.requestId());
                case PARK -> meters.count(Metric.PARKINGS);
                case TAKE_OVER -> tookOver(entry);
                default -> {
                    // the other steps have no metric
                }
            }
        }

        /** If the rename acquired locks but could need more, records the time until the last acquired lock. */
        private void waitEnds(JournalEntry entry) {
            Wait wait = waits.remove(entry.requestId());
            if (wait != null && wait.lockedNanos() != null) {
                waited(wait, wait.lockedNanos());
            }
        }

        /** A parked rename needs no owner, so its take-over is not counted. */
        private void tookOver(JournalEntry entry) {
            if (entry.state().needsOwner()) {
                meters.count(Metric.TAKE_OVERS, entry.state().name().toLowerCase(Locale.ROOT));
            }
        }

        /** Counts the outcome of a rename. A writer's entry has no outcome, and is not counted. */
        private void ended(JournalEntry entry) {
            entry.ended().map(ending -> OutcomeCodec.decode(ending.outcome())).ifPresent(outcome -> {
                Reason reason = outcome.reason();
                meters.count(
                        Metric.RENAMES,
                        outcome.status().published(),
                        reason == null ? Meters.NONE : reason.published());
            });
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

        /** Does not count results without an answer, because the state of their documents is unknown. */
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
