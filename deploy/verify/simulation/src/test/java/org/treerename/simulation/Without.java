package org.treerename.simulation;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.journal.Watermark;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespaces;
import org.treerename.namespace.Rules;
import org.treerename.path.TreePath;
import org.treerename.request.Outcomes;
import org.treerename.request.RequestLog;
import org.treerename.simulation.elasticsearch.CarelessTreeStore;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.simulation.elasticsearch.SimulatedTreeStore;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;
import org.treerename.tree.Document;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.MoveStream;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/**
 * The guards of the protocol. Each constant is a wiring of the services with one guard switched off. Each description
 * states the behaviour without the guard.
 */
enum Without implements Guard {
    /** The requests of all namespaces share the slots of a worker. */
    SLOTS_OF_EACH_NAMESPACE(323) {
        @Override
        public boolean hasSlotsOfEachNamespace() {
            return false;
        }
    },
    /** The journal entry is the last item in the bulk request of an attempt. */
    JOURNAL_BEFORE_LOCKS(1) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public Prepared prepare(Attempt attempt) {
                    return journal.prepareLocksFirst(attempt);
                }
            };
        }
    },
    /** The commit is written without a condition. */
    CONDITIONAL_COMMIT(10) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    return step == JournalStep.COMMIT ? overwrite(step, entry) : super.write(step, entry, seen);
                }
            };
        }
    },
    /** A process continues while its lease is in doubt. No run has a violation without this guard. */
    LEASE_CHECK {
        @Override
        public boolean checksLease() {
            return false;
        }
    },
    /** A writer acquires no lock, but treats all locks as acquired. */
    LOCKS_OF_WRITERS(6) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public Prepared prepare(Attempt attempt) {
                    return super.prepare(
                            attempt.entry().writeTarget() == null
                                    ? attempt
                                    : new Attempt(
                                            attempt.step(),
                                            attempt.entry(),
                                            attempt.seen(),
                                            attempt.previousHoldId(),
                                            attempt.hold(),
                                            LockSet.NONE));
                }
            };
        }
    },
    /** Nothing is written between the read of a page and the moves of this page, and no process checks its lease. */
    WRITE_BETWEEN_SCAN_AND_MOVES(1_647) {
        @Override
        public boolean checksLease() {
            return false;
        }

        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    return isProgress(step) ? new WriteResult.Written(seen) : super.write(step, entry, seen);
                }
            };
        }
    },
    /**
     * The scan of the first pass is opened after the commit. Nothing is written before the moves of this pass, and no
     * process checks its lease.
     */
    SCAN_BEFORE_THE_COMMIT(4) {
        @Override
        public boolean checksLease() {
            return false;
        }

        @Override
        public TreeStore tree(String processId, Wire wire, Cluster cluster, int pageSize) {
            return new Reopening(new SimulatedTreeStore(wire, cluster, pageSize), 0);
        }
    },
    /** In the first pass, each page after the first is read from a new point in time. No process checks its lease. */
    ONE_POINT_IN_TIME(4) {
        @Override
        public boolean checksLease() {
            return false;
        }

        @Override
        public TreeStore tree(String processId, Wire wire, Cluster cluster, int pageSize) {
            return new Reopening(new SimulatedTreeStore(wire, cluster, pageSize), 1);
        }
    },
    /** The write between scan and moves is treated as acknowledged, even if Elasticsearch does not answer it. */
    ACKNOWLEDGEMENT(22) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    try {
                        return super.write(step, entry, seen);
                    } catch (NoAnswerException e) {
                        if (isProgress(step) || step == JournalStep.COMMIT) {
                            return new WriteResult.Written(seen);
                        }
                        throw e;
                    }
                }
            };
        }
    },
    /** The state DONE is written without a condition. */
    CONDITIONAL_END(201) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    return entry.state() == State.DONE && step == JournalStep.END
                            ? overwrite(step, entry)
                            : super.write(step, entry, seen);
                }
            };
        }
    },
    /** An abandonment seals no document. */
    SEAL(427) {
        @Override
        public double parkedMoves() {
            return 1;
        }

        @Override
        public TreeStore tree(String processId, Wire wire, Cluster cluster, int pageSize) {
            TreeStore tree = new SimulatedTreeStore(wire, cluster, pageSize);
            return processId.startsWith(Abandoners.PREFIX) ? new Unsealed(tree) : tree;
        }
    },
    /** An abandonment is written without a condition. */
    CONDITIONAL_ABANDONMENT(75) {
        @Override
        public double parkedMoves() {
            return 1;
        }

        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    return step == JournalStep.ABANDON ? overwrite(step, entry) : super.write(step, entry, seen);
                }
            };
        }
    },
    /** A cancellation is written without a condition. */
    CONDITIONAL_CANCELLATION(25) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    return step == JournalStep.CANCEL ? overwrite(step, entry) : super.write(step, entry, seen);
                }
            };
        }
    },
    /** A take-over is written without a condition. */
    CONDITIONAL_TAKE_OVER(18) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    return isTakeOver(step) ? overwrite(step, entry) : super.write(step, entry, seen);
                }
            };
        }
    },
    /** A take-over is not written, so the entry keeps its owner and epoch. */
    WRITE_OF_THE_TAKE_OVER(469) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    return isTakeOver(step) ? new WriteResult.Written(seen) : super.write(step, entry, seen);
                }
            };
        }
    },
    /** A lock table that refuses a request does not store the claim of this request. */
    CLAIM_OF_THE_REFUSED(6) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return Scripted.taking(processId, journal, (table, hold, wanted) -> {
                LockTable taken = table.taken(hold, wanted);
                return taken.isHeldBy(hold.holdId()) ? taken : table;
            });
        }
    },
    /**
     * After a version conflict, a process compares only the state of the journal entry. If the entry has the expected
     * state, the process overwrites the entry.
     */
    COMPARISON_AFTER_A_CONFLICT(1) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    WriteResult result = super.write(step, entry, seen);
                    boolean sameState = result instanceof WriteResult.Conflict
                            && isMine(entry)
                            && read(entry.requestId())
                                    .filter(found -> found.value().state() == lastState(entry))
                                    .isPresent();
                    return sameState ? overwrite(step, entry) : result;
                }
            };
        }
    },
    /** A commit is written although the entry is in RETRY, and no process checks its lease. */
    RETRY_HEEDED(4_162) {
        @Override
        public boolean checksLease() {
            return false;
        }

        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    WriteResult result = super.write(step, entry, seen);
                    boolean released = result instanceof WriteResult.Conflict
                            && step == JournalStep.COMMIT
                            && read(entry.requestId())
                                    .filter(found -> found.value().state() == State.RETRY)
                                    .isPresent();
                    return released ? overwrite(step, entry) : result;
                }
            };
        }
    },
    /** An attempt is treated as successful if its journal entry was written, even if lock tables refuse the attempt. */
    SUCCESS_BY_THE_RETURNED_HOLD(6) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public Prepared prepare(Attempt attempt) {
                    Prepared prepared = super.prepare(attempt);
                    return new Prepared(prepared.entry(), Set.of(), true, false, prepared.changed());
                }
            };
        }
    },
    /** An attempt on several lock tables is treated as successful, although one table refuses the attempt. */
    HOLD_IN_EVERY_TABLE(7) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public Prepared prepare(Attempt attempt) {
                    Prepared prepared = super.prepare(attempt);
                    boolean isRefusedByOneOfSeveral = prepared.refused().size() == 1
                            && attempt.locks().parts().size() > 1;
                    return isRefusedByOneOfSeveral
                            ? new Prepared(prepared.entry(), Set.of(), true, prepared.expired(), prepared.changed())
                            : prepared;
                }
            };
        }
    },
    /** An exclusive lock does not lock the paths below its path. */
    LOCK_OF_WHAT_IS_BELOW(7) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return Scripted.taking(processId, journal, new Overlooking((taken, wanted) -> isAbove(taken, wanted)));
        }
    },
    /** A request acquires a lock on a path, although another request holds a lock below this path. */
    LOCK_OF_WHAT_IS_ABOVE(28) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return Scripted.taking(processId, journal, new Overlooking((taken, wanted) -> isAbove(wanted, taken)));
        }
    },
    /** An attempt removes all holds of its request, and not only the hold of the previous attempt. */
    RELEASE_BY_HOLD_ID(57) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Scripted(processId, journal, new SimulatedJournal.Script() {
                @Override
                public LockTable withoutPrevious(LockTable table, Journal.Attempt attempt) {
                    return withoutHoldsOf(attempt.hold().requestId(), table);
                }
            });
        }

        @Override
        public LockStore locks(String processId, SimulatedLockStore locks) {
            return new DecoratedLockStore(locks) {
                @Override
                public void release(Collection<LockTable.Id> tables, Release release) {
                    locks.release(
                            tables,
                            release,
                            table -> release.claimOf()
                                    .map(requestId -> withoutHoldsOf(requestId, table))
                                    .orElse(table)
                                    .released(release));
                }
            };
        }
    },
    /** Every read of a lock table returns the result of the first read, so a waiting request is never woken. */
    WAKE_UP(3) {
        @Override
        public LockStore locks(String processId, SimulatedLockStore locks) {
            Map<LockTable.Id, LockTable> first = new HashMap<>();
            return new DecoratedLockStore(locks) {
                @Override
                public List<LockTable> read(Collection<LockTable.Id> tables) {
                    return super.read(tables).stream()
                            .map(table -> table.isEmpty() ? table : first.computeIfAbsent(table.id(), id -> table))
                            .toList();
                }
            };
        }
    },
    /** The documents below a source are not locked, although their namespace requires these locks. */
    LOCKS_OF_DOCUMENTS(16) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public Prepared prepare(Attempt attempt) {
                    return attempt.step() == JournalStep.FURTHER_LOCKS
                            ? new Prepared(
                                    write(attempt.step(), attempt.entry(), seenOf(attempt)),
                                    Set.of(),
                                    true,
                                    false,
                                    false)
                            : super.prepare(attempt);
                }
            };
        }
    },
    /** The documents to lock are read by a search without a refresh. */
    REFRESH_BEFORE_THE_LOCKS_OF_DOCUMENTS(27) {
        @Override
        public TreeStore tree(String processId, Wire wire, Cluster cluster, int pageSize) {
            return new StaleUntilExamined(
                    new SimulatedTreeStore(wire, cluster, pageSize),
                    new CarelessTreeStore(wire, cluster, pageSize, CarelessTreeStore.Without.REFRESH));
        }
    },
    /** No process removes the invalid holds of other processes. */
    REMOVAL_OF_DEAD_HOLDS(8) {
        @Override
        public LockStore locks(String processId, SimulatedLockStore locks) {
            return new DecoratedLockStore(locks) {
                @Override
                public void release(Collection<LockTable.Id> tables, Release release) {
                    boolean isOwn = release.holdIds().stream().allMatch(id -> id.startsWith(processId + "#"));
                    if (isOwn || release.claimOf().isPresent()) {
                        super.release(tables, release);
                    }
                }
            };
        }
    },
    /** Before a process removes the hold of another process, it reads the journal entry, but makes no no-op write. */
    TOUCH_BEFORE_A_SWEEP(4) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                private final Map<String, Versioned<JournalEntry>> firstRead = new HashMap<>();
                private boolean isOld;

                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    return step == JournalStep.NO_OP && !isMine(entry)
                            ? new WriteResult.Written(seen)
                            : super.write(step, entry, seen);
                }

                /** Returns to a janitor every second time what it has read first, as a node does that is cut off. */
                @Override
                public Optional<Versioned<JournalEntry>> read(String requestId) {
                    Optional<Versioned<JournalEntry>> latest = super.read(requestId);
                    if (latest.isEmpty() || !processId.startsWith("janitor")) {
                        return latest;
                    }
                    Versioned<JournalEntry> first = firstRead.putIfAbsent(requestId, latest.get());
                    isOld = !isOld;
                    return isOld && first != null ? Optional.of(first) : latest;
                }
            };
        }
    },
    /** A process uses the same hold id for all its holds. */
    NEW_HOLD_IDS(4) {
        @Override
        public Supplier<String> holdIds(String processId, Supplier<String> fresh) {
            return () -> processId;
        }
    },
    /** A rename ends after one pass, even if the pass found documents. */
    EMPTY_PASS(37) {
        @Override
        public TreeStore tree(String processId, Wire wire, Cluster cluster, int pageSize) {
            return new Hasty(new SimulatedTreeStore(wire, cluster, pageSize), true);
        }
    },
    /** A rename ends after one empty pass, although an earlier move may still arrive. */
    SECOND_EMPTY_PASS(37) {
        @Override
        public TreeStore tree(String processId, Wire wire, Cluster cluster, int pageSize) {
            return new Hasty(new SimulatedTreeStore(wire, cluster, pageSize), false);
        }
    },
    /** A page without the answers of all shards is treated as complete. */
    STRICT_PAGES(323, CarelessTreeStore.Without.STRICT_PAGES),
    /** A search runs without a refresh. */
    REFRESH(27, CarelessTreeStore.Without.REFRESH),
    /** A document is moved without a check of its version. */
    VERSION_OF_THE_MOVE(10, CarelessTreeStore.Without.VERSION_OF_THE_MOVE),
    /** A document is moved without a check of its version if another system gives versions to the documents. */
    EXTERNAL_VERSION(17, CarelessTreeStore.Without.EXTERNAL_VERSION),
    /** A replaced document is deleted without a check of its version. */
    VERSION_OF_THE_REMOVAL(41, CarelessTreeStore.Without.VERSION_OF_THE_REMOVAL),
    /** A process that continues a rename does not see in the journal entry that the removals are completed. */
    RECORD_OF_THE_REMOVALS(177) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public Optional<Versioned<JournalEntry>> read(String requestId) {
                    return super.read(requestId)
                            .map(found -> new Versioned<>(withoutRecordOfRemovals(found.value()), found.version()));
                }
            };
        }
    },
    /** A search below {@code /a} also finds {@code /ab}, because both paths begin with the same text. */
    SEGMENT_BOUNDARY(12, CarelessTreeStore.Without.SEGMENT_BOUNDARY),
    /** A refresh that does not reach all shards is treated as complete. */
    REFRESH_OF_EVERY_SHARD(343, CarelessTreeStore.Without.REFRESH_OF_EVERY_SHARD),
    /** No process checks whether a node searches copies that the master does not list any more. */
    COMPARISON_OF_COPIES(2_215, CarelessTreeStore.Without.COMPARISON_OF_COPIES),
    /** An index that was deleted and created again is treated as the old index. */
    COMPARISON_OF_INDICES(32) {
        @Override
        public TreeStore tree(String processId, Wire wire, Cluster cluster, int pageSize) {
            return new FirstIndices(new SimulatedTreeStore(wire, cluster, pageSize), new HashMap<>());
        }
    },
    /** The indices are compared as any node knows them. */
    INDICES_OF_THE_MASTER(1_160, CarelessTreeStore.Without.INDICES_OF_THE_MASTER),
    /** A rename moves documents in an index that acknowledges writes before they are on disk. */
    WRITES_ON_DISK(3, CarelessTreeStore.Without.WRITES_ON_DISK) {
        @Override
        public double earlyAcknowledgements() {
            return 1;
        }
    },
    /** A rename moves documents in an index whose mapping hides documents from searches. */
    FIT_MAPPINGS(169, CarelessTreeStore.Without.FIT_MAPPINGS) {
        @Override
        public double unfitMappings() {
            return 1;
        }
    },
    /** A search may read fewer shards than the refresh before it. */
    NUMBER_OF_SHARDS(65, CarelessTreeStore.Without.NUMBER_OF_SHARDS),
    /** A rename is committed although its check has not read an index that had left its alias for a moment. */
    INDICES_OF_THE_SNAPSHOT(7_369, CarelessTreeStore.Without.INDICES_OF_THE_SNAPSHOT),
    /** A scan whose point in time was lost is treated as finished. */
    POINT_IN_TIME_TO_THE_END(323) {
        @Override
        public TreeStore tree(String processId, Wire wire, Cluster cluster, int pageSize) {
            return new EndingEarly(new SimulatedTreeStore(wire, cluster, pageSize));
        }
    },
    /** A document is written without its routing. */
    ROUTING_OF_THE_MOVE(15) {
        @Override
        public TreeStore tree(String processId, Wire wire, Cluster cluster, int pageSize) {
            return new Unrouted(new SimulatedTreeStore(wire, cluster, pageSize));
        }
    },
    /** A lock is treated as acquired if the answer to the bulk request contains no result for its lock table. */
    ANSWER_FOR_EVERY_LOCK(34) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public Prepared prepare(Attempt attempt) {
                    Prepared prepared = super.prepare(attempt);
                    return new Prepared(
                            prepared.entry(),
                            prepared.refused(),
                            prepared.refused().isEmpty(),
                            prepared.expired(),
                            prepared.changed());
                }
            };
        }
    },
    /** A predecessor is treated as ended after a read of its journal entry, without a no-op write. */
    TOUCH_OF_WHAT_HAS_ENDED(1_431) {
        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
                    return step == JournalStep.NO_OP && entry.state().isFinal()
                            ? new WriteResult.Written(seen)
                            : super.write(step, entry, seen);
                }
            };
        }
    },
    /** An outcome is treated as published, although Kafka has not acknowledged it. */
    ACKNOWLEDGED_OUTCOME(98) {
        @Override
        public Outcomes outcomes(Outcomes outcomes) {
            return (requestId, outcome) -> {
                try {
                    outcomes.publish(requestId, outcome);
                } catch (NoAnswerException e) {
                    // the outcome may have arrived
                }
            };
        }
    },
    /** A dead letter is treated as written, although Kafka has not acknowledged it. */
    ACKNOWLEDGED_DEAD_LETTER(573) {
        @Override
        public Consumer<ProducerRecord<byte[], byte[]>> deadLetters(Consumer<ProducerRecord<byte[], byte[]>> topic) {
            return letter -> {
                try {
                    topic.accept(letter);
                } catch (NoAnswerException e) {
                    // the dead letter may have arrived
                }
            };
        }
    },
    /** A janitor calculates the age of a journal entry with its own clock alone. */
    CLOCK_OF_ELASTICSEARCH(5_470) {
        @Override
        public double expiringEntries() {
            return 1;
        }

        @Override
        public Watermark watermark(Watermark watermark) {
            return to -> new Watermark.Mark(watermark.raise(to).at(), Instant.MAX);
        }
    },
    /** A journal entry expires, although the log contains an old request that the workers have not finished. */
    FINISHED_BEFORE_EXPIRY(84) {
        @Override
        public RequestLog log(RequestLog log) {
            return new RequestLog() {
                @Override
                public Optional<Duration> retention() {
                    return log.retention();
                }

                @Override
                public boolean isFinishedBefore(Instant time) {
                    return true;
                }
            };
        }
    },
    /** A janitor does not see the requests in PREPARED, and raises the watermark past them. */
    ENDED_BEFORE_EXPIRY(1130) {
        @Override
        public double expiringEntries() {
            return 1;
        }

        @Override
        public Journal journal(String processId, SimulatedJournal journal) {
            return new Careless(processId, journal) {
                @Override
                public List<Versioned<JournalEntry>> olderThan(
                        State state, Instant limit, @Nullable LockPriority after, int most) {
                    return state == State.PREPARED ? List.of() : super.olderThan(state, limit, after, most);
                }
            };
        }
    },
    /** Conflicting requests of one partition are processed concurrently. */
    ORDER_IN_A_PARTITION(59) {
        @Override
        public Namespaces namespaces(Namespaces namespaces) {
            return new Unordered(namespaces);
        }
    },
    /** A request does not wait for its predecessors. */
    WAIT_FOR_PREDECESSORS(1) {
        @Override
        public ConsumerRecord<byte[], byte[]> received(ConsumerRecord<byte[], byte[]> message) {
            byte[] value = new String(message.value(), StandardCharsets.UTF_8)
                    .replaceAll(",\"after\":\\[[^]]*]", "")
                    .getBytes(StandardCharsets.UTF_8);
            return new ConsumerRecord<>(
                    message.topic(),
                    message.partition(),
                    message.offset(),
                    message.timestamp(),
                    message.timestampType(),
                    message.serializedKeySize(),
                    message.serializedValueSize(),
                    message.key(),
                    value,
                    message.headers(),
                    message.leaderEpoch());
        }
    },
    /** The watchdog does not end a worker that makes no progress. */
    WATCHDOG(6) {
        @Override
        public boolean hasWatchdog() {
            return false;
        }
    },
    /** The offset of a request is committed when the worker receives the request. */
    OFFSET_AFTER_THE_END(2) {
        @Override
        public boolean commitsAfterTheEnd() {
            return false;
        }
    };

    private static final long NO_SEED = 0;

    private final long seed;
    private final CarelessTreeStore.@Nullable Without careless;

    /** Creates a guard whose absence causes no violation in any run. */
    Without() {
        this(NO_SEED);
    }

    /**
     * @param seed a seed whose run has a violation without the guard
     */
    Without(long seed) {
        this(seed, null);
    }

    /**
     * @param seed a seed whose run has a violation without the guard
     * @param careless the guard that the tree store does not have; null if it has all guards
     */
    Without(long seed, CarelessTreeStore.@Nullable Without careless) {
        this.seed = seed;
        this.careless = careless;
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public TreeStore tree(String processId, Wire wire, Cluster cluster, int pageSize) {
        return careless == null
                ? Guard.super.tree(processId, wire, cluster, pageSize)
                : new CarelessTreeStore(wire, cluster, pageSize, careless);
    }

    private static JournalEntry withoutRecordOfRemovals(JournalEntry entry) {
        Progress progress = entry.progress();
        return TestEntry.like(entry)
                .progress(new Progress(progress.expected(), progress.moved(), progress.passes()))
                .build();
    }

    /** A journal of one process. Keeps the last version of each entry that this process has written. */
    private abstract static class Careless implements ForwardingJournal {
        private final String processId;
        private final SimulatedJournal journal;
        private final Map<String, JournalEntry> last = new HashMap<>();

        Careless(String processId, SimulatedJournal journal) {
            this.processId = processId;
            this.journal = journal;
        }

        @Override
        public Journal journal() {
            return journal;
        }

        boolean isMine(JournalEntry entry) {
            return entry.ownership().processId().equals(processId);
        }

        State lastState(JournalEntry entry) {
            JournalEntry before = last.get(entry.requestId());
            return before == null ? State.PREPARED : before.state();
        }

        boolean isProgress(JournalStep step) {
            return step == JournalStep.PROGRESS || step == JournalStep.REMOVALS;
        }

        boolean isTakeOver(JournalStep step) {
            return step == JournalStep.TAKE_OVER;
        }

        Version seenOf(Attempt attempt) {
            return Objects.requireNonNull(attempt.seen());
        }

        WriteResult overwrite(JournalStep step, JournalEntry entry) {
            return noted(entry, journal.overwrite(step, entry));
        }

        private WriteResult noted(JournalEntry entry, WriteResult result) {
            if (result instanceof WriteResult.Written && isMine(entry)) {
                last.put(entry.requestId(), entry);
            }
            return result;
        }

        @Override
        public Prepared prepare(Attempt attempt) {
            Prepared prepared = journal.prepare(attempt);
            noted(attempt.entry(), prepared.entry());
            return prepared;
        }

        @Override
        public WriteResult create(JournalStep step, JournalEntry entry) {
            return noted(entry, journal.create(step, entry));
        }

        @Override
        public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
            return noted(entry, journal.write(step, entry, seen));
        }

        @Override
        public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
            return requestIds.stream().flatMap(id -> read(id).stream()).toList();
        }
    }

    /**
     * A tree store whose first pass reads {@code pages} pages from one point in time. The pass reads each further page
     * from a new point in time.
     */
    private record Reopening(TreeStore tree, int pages) implements ForwardingTreeStore {

        @Override
        public Scan open(Rename rename, TreeSnapshot snapshot) {
            Scan opened = tree.open(rename, snapshot);
            return new Scan() {
                private int read;

                @Override
                public List<Document> nextPage() {
                    if (read++ < pages) {
                        return opened.nextPage();
                    }
                    try (Scan other = tree.scan(rename.namespace(), rename.source(), Reach.AT_OR_BELOW)) {
                        return other.nextPage();
                    }
                }

                @Override
                public void close() {
                    opened.close();
                }
            };
        }

        @Override
        public MoveStream moves(Namespace namespace) {
            return tree.moves(namespace);
        }
    }

    /** Returns whether a path is above another path. */
    private static boolean isAbove(TreePath above, TreePath below) {
        return !above.equals(below) && below.isAtOrBelow(above);
    }

    private static LockTable withoutHoldsOf(String requestId, LockTable table) {
        return table.released(new Release(
                table.holds().entrySet().stream()
                        .filter(one -> one.getValue().hold().requestId().equals(requestId))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()),
                Optional.empty()));
    }

    /** Calculates a lock table after an attempt, in place of {@link LockTable#taken}. */
    private interface Taking {
        LockTable taken(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted);
    }

    /** A journal whose attempts run scripts that replace the scripts of the protocol. */
    private static final class Scripted extends Careless {
        private final SimulatedJournal journal;
        private final SimulatedJournal.Script script;

        Scripted(String processId, SimulatedJournal journal, SimulatedJournal.Script script) {
            super(processId, journal);
            this.journal = journal;
            this.script = script;
        }

        static Scripted taking(String processId, SimulatedJournal journal, Taking taking) {
            return new Scripted(processId, journal, new SimulatedJournal.Script() {
                @Override
                public LockTable taken(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
                    return taking.taken(table, hold, wanted);
                }
            });
        }

        @Override
        public Prepared prepare(Attempt attempt) {
            return journal.prepare(attempt, script);
        }
    }

    /** Calculates a lock table as {@link LockTable#taken} does, but ignores some conflicts. */
    private record Overlooking(BiPredicate<TreePath, TreePath> overlooked) implements Taking {

        @Override
        public LockTable taken(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
            SortedMap<String, LockTable.Held> holds = new TreeMap<>(table.holds());
            holds.entrySet()
                    .removeIf(one -> !one.getKey().equals(hold.holdId())
                            && !isSeen(one.getValue().paths(), wanted));
            SortedMap<String, LockTable.Claim> claims = new TreeMap<>(table.claims());
            claims.entrySet()
                    .removeIf(one -> !one.getKey().equals(hold.requestId())
                            && !isSeen(one.getValue().paths(), wanted));
            LockTable taken = table.with(holds, claims).taken(hold, wanted);
            SortedMap<String, LockTable.Held> allHolds = new TreeMap<>(table.holds());
            allHolds.putAll(taken.holds());
            SortedMap<String, LockTable.Claim> allClaims = new TreeMap<>(table.claims());
            allClaims.putAll(taken.claims());
            return table.with(allHolds, allClaims);
        }

        private boolean isSeen(SortedMap<TreePath, LockMode> taken, SortedMap<TreePath, LockMode> wanted) {
            return taken.entrySet().stream()
                    .anyMatch(one -> wanted.entrySet().stream()
                            .anyMatch(other -> !overlooked.test(one.getKey(), other.getKey())
                                    && LockTable.conflict(
                                            one.getKey(), one.getValue(), other.getKey(), other.getValue())));
        }
    }

    /** A tree store whose scans end if Elasticsearch has lost their point in time. */
    private record EndingEarly(TreeStore tree) implements ForwardingTreeStore {

        @Override
        public Scan scan(Namespace namespace, TreePath path, Reach reach) {
            Scan scan = tree.scan(namespace, path, reach);
            return new Scan() {
                @Override
                public List<Document> nextPage() {
                    try {
                        return scan.nextPage();
                    } catch (NoAnswerException e) {
                        if (String.valueOf(e.getMessage()).contains("search_context_missing")) {
                            return List.of();
                        }
                        throw e;
                    }
                }

                @Override
                public void close() {
                    scan.close();
                }
            };
        }
    }

    /** A tree store that always returns the indices of the first call for a namespace. */
    private record FirstIndices(TreeStore tree, Map<String, Map<String, String>> returned)
            implements ForwardingTreeStore {

        @Override
        public Map<String, String> indices(Namespace namespace) {
            Map<String, String> now = tree.indices(namespace);
            return returned.computeIfAbsent(namespace.name(), name -> now);
        }
    }

    /** A tree store that moves documents without their routing. */
    private record Unrouted(TreeStore tree) implements ForwardingTreeStore {

        @Override
        public List<Written> move(Namespace namespace, List<Move> moves) {
            return tree.move(namespace, moves.stream().map(Unrouted::unrouted).toList());
        }

        private static Move unrouted(Move move) {
            Document document = move.document();
            Document.Ref ref = document.ref();
            return new Move(
                    new Document(
                            new Document.Ref(ref.index(), ref.id(), null, ref.version(), ref.external()),
                            document.path(),
                            document.source()),
                    move.to(),
                    move.follow(),
                    move.condition());
        }
    }

    /**
     * Namespaces whose cached definition has the granularity DOCUMENT. A worker uses the cached definition before it
     * processes a request. So the worker treats fewer requests as conflicting.
     */
    private record Unordered(Namespaces namespaces) implements Namespaces {

        @Override
        public Optional<Namespace> known(String name) {
            return namespaces
                    .known(name)
                    .map(known -> known.with(new Rules(
                            Granularity.DOCUMENT,
                            known.rules().orderingDepth(),
                            known.rules().version(),
                            null,
                            known.rules().documentsPerSecond())));
        }

        @Override
        public Collection<Namespace> known() {
            return namespaces.known();
        }

        @Override
        public Optional<Namespace> find(String name) {
            return namespaces.find(name);
        }

        @Override
        public List<Namespace> all() {
            return namespaces.all();
        }

        @Override
        public void define(Namespace namespace) {
            namespaces.define(namespace);
        }
    }

    /** A tree store that acknowledges each move, and sends none. */
    private record Unsealed(TreeStore tree) implements ForwardingTreeStore {
        @Override
        public List<Written> move(Namespace namespace, List<Move> moves) {
            return moves.stream().<Written>map(move -> new Written.Done()).toList();
        }
    }

    /** A tree store that scans a subtree without a refresh until the worker has examined the rename of this subtree. */
    private record StaleUntilExamined(TreeStore tree, TreeStore stale, Set<TreePath> examined)
            implements ForwardingTreeStore {

        StaleUntilExamined(TreeStore tree, TreeStore stale) {
            this(tree, stale, new HashSet<>());
        }

        @Override
        public Scan scan(Namespace namespace, TreePath path, Reach reach) {
            boolean isBefore = reach == Reach.AT_OR_BELOW && !examined.contains(path);
            return (isBefore ? stale : tree).scan(namespace, path, reach);
        }

        @Override
        public TreeSnapshot examine(Rename rename) {
            examined.add(rename.source());
            return tree.examine(rename);
        }
    }

    /**
     * A tree store whose scan of a subtree finds nothing if the previous scan of this subtree was empty. If
     * {@code afterAny} is true, it is sufficient that the previous scan was read to its end.
     */
    private static final class Hasty implements TreeStore {
        private final SimulatedTreeStore tree;
        private final boolean afterAny;
        private final Map<TreePath, Boolean> done = new HashMap<>();

        Hasty(SimulatedTreeStore tree, boolean afterAny) {
            this.tree = tree;
            this.afterAny = afterAny;
        }

        @Override
        public Scan scan(Namespace namespace, TreePath path, Reach reach) {
            if (reach == Reach.AT) {
                done.remove(path);
                return tree.scan(namespace, path, reach);
            }
            if (Boolean.TRUE.equals(done.remove(path))) {
                return new Nothing();
            }
            return new Noting(tree.scan(namespace, path, reach), path);
        }

        /** A scan that stores whether it was read to its end. */
        private final class Noting implements Scan {
            private final Scan scan;
            private final TreePath path;
            private boolean found;

            Noting(Scan scan, TreePath path) {
                this.scan = scan;
                this.path = path;
            }

            @Override
            public List<Document> nextPage() {
                List<Document> page = scan.nextPage();
                found |= !page.isEmpty();
                if (page.isEmpty()) {
                    done.put(path, afterAny || !found);
                }
                return page;
            }

            @Override
            public void close() {
                scan.close();
            }
        }

        /** An empty scan. */
        private static final class Nothing implements Scan {
            @Override
            public List<Document> nextPage() {
                return List.of();
            }

            @Override
            public void close() {
                // nothing was opened
            }
        }

        @Override
        public Map<String, String> indices(Namespace namespace) {
            return tree.indices(namespace);
        }

        @Override
        public TreeSnapshot examine(Rename rename) {
            done.remove(rename.source());
            return tree.examine(rename);
        }

        @Override
        public Scan open(Rename rename, TreeSnapshot snapshot) {
            return new Noting(tree.open(rename, snapshot), rename.source());
        }

        @Override
        public MoveStream moves(Namespace namespace) {
            return tree.moves(namespace);
        }

        @Override
        public List<Written> move(Namespace namespace, List<Move> moves) {
            return tree.move(namespace, moves);
        }

        @Override
        public Optional<Document> read(Namespace namespace, Document.Ref ref) {
            return tree.read(namespace, ref);
        }

        @Override
        public List<Written> remove(List<Removal> removals) {
            return tree.remove(removals);
        }
    }
}
