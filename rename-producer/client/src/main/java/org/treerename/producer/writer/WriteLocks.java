package org.treerename.producer.writer;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.ExternalWriter;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.LockBooks;
import org.treerename.journal.Ownership;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.namespace.Namespace;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Acquisition;
import org.treerename.rename.Acquisition.Acquired;
import org.treerename.rename.LockRelease;
import org.treerename.rename.LockWatch;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Acquires and releases the locks of a writer on directories. Each acquisition has its own journal entry. The process
 * that acquires the locks also releases the locks. The heartbeat of the process, not this class, shows whether the
 * locks are still valid.
 *
 * <ol>
 *   <li>Write the entry in state HELD and acquire the locks, in one request. Repeat the request until the locks are
 *       acquired ({@link Acquisition}). If the process dies during this step, a janitor releases the locks of the
 *       entry, and closes the entry.
 *   <li>Release the holds by hold id, and the claims by request id. If the process dies during this step, a janitor
 *       repeats the release.
 *   <li>Write the state CLOSED to the entry, even if another process has changed the state since the first step.
 * </ol>
 */
public final class WriteLocks {

    /** The result of an acquisition. */
    public sealed interface Taken {

        /** The locks are held. The caller must {@linkplain WriteLocks#release release} the locks. */
        record Held(Versioned<JournalEntry> entry) implements Taken {}

        /** Other requests held the locks for too long; the blocker is one of these requests. */
        record Locked(Blocker blocker) implements Taken {}

        /** A stop of the process, or of this acquisition, was requested. */
        record Stopped() implements Taken {}

        /** Another process has ended the entry, because it treats this process as dead. */
        record Lost() implements Taken {}
    }

    /** The prefix of the request ids of writers. */
    public static final String PREFIX = "write-";

    private static final Logger log = LoggerFactory.getLogger(WriteLocks.class);

    private final LockBooks stores;
    private final LockWatch watch;
    private final LockRelease release;
    private final ProcessContext context;

    /** @param context the context of the process; this class does not use the lock wait of the context */
    public WriteLocks(LockBooks stores, ProcessContext context) {
        this.stores = stores;
        this.watch = new LockWatch(stores.locks());
        this.release = new LockRelease(stores.locks(), watch, context);
        this.context = context;
    }

    /**
     * Acquires the locks. If the result is not {@link Taken.Held}, this method releases all holds and claims before it
     * returns.
     *
     * @param lockWait the longest time to wait for locks that other requests hold. The time in which the store does not
     *     answer is not counted
     * @param stop the signal that ends the wait
     * @throws IllegalArgumentException if the namespace does not exist, or a directory is not a valid path in the
     *     namespace
     * @throws FencedException if this process was fenced
     */
    public Taken take(WriteTarget writeTarget, Duration lockWait, StopSignal stop) {
        LockSet set = lockSet(writeTarget);
        ExternalWriter writer = new ExternalWriter(
                PREFIX + context.holdIds().get(),
                writeTarget,
                context.time().now().truncatedTo(ChronoUnit.MILLIS));
        ProcessContext waiting = new ProcessContext(
                context.processId(),
                context.time(),
                context.backoffs(),
                lockWait,
                context.maxPasses(),
                stop,
                context.holdIds());
        try {
            return result(new Acquisition(stores, watch, waiting, writer, set).acquire(Optional.empty()));
        } catch (FencedException e) {
            throw e;
        } catch (RuntimeException e) {
            leaveNothing(writer, set, e);
            throw e;
        }
    }

    private LockSet lockSet(WriteTarget writeTarget) {
        Namespace namespace = context.retryUntilAnswered(
                        "the namespace " + writeTarget.namespace(),
                        () -> stores.namespaces().find(writeTarget.namespace()))
                .orElseThrow(() -> new IllegalArgumentException("no namespace is called \"" + writeTarget.namespace()
                        + "\"; correct the name, or define the namespace with rename-admin namespaces define"));
        return writeTarget
                .lockSet(LockPolicy.of(namespace))
                .orElseThrow(() -> new IllegalArgumentException(
                        writeTarget.problem(namespace.notation()).orElse("")));
    }

    /** If this fails, the process stops, because no other process releases the claims of a live process. */
    private void leaveNothing(ExternalWriter writer, LockSet set, RuntimeException failure) {
        try {
            JournalEntry begun = writer.begun(new Ownership(context.processId(), 1, null));
            release.release(begun.requestId(), set, begun.releaseOfAll());
            close(begun, read(begun));
        } catch (RuntimeException e) {
            log.error(
                    "request {}: cannot release its claims and close its journal entry; this process stops, and a"
                            + " janitor releases the claims and closes the journal entry",
                    writer.requestId(),
                    e);
            failure.addSuppressed(e);
            context.stop().request();
        }
    }

    private Taken result(Acquired acquired) {
        return switch (acquired) {
            case Acquired.Held held -> new Taken.Held(held.own().versioned());
            case Acquired.Locked locked -> {
                release(locked.own().versioned());
                yield new Taken.Locked(locked.blockers().getFirst());
            }
            case Acquired.Stopped stopped -> {
                release(stopped.own().versioned());
                yield new Taken.Stopped();
            }
            case Acquired.Elsewhere elsewhere -> {
                // this process may have created the entry by a write that was never acknowledged
                release(elsewhere.entry());
                yield new Taken.Lost();
            }
            case Acquired.Unreadable unreadable ->
                throw new IllegalStateException("a writer must not read the tree: " + unreadable.why());
            case Acquired.Expired expired ->
                throw new IllegalStateException("the request "
                        + expired.own().entry().requestId()
                        + " of a writer has expired, but a writer has no record that can expire");
        };
    }

    /**
     * Releases all locks and claims of an entry, and closes the entry.
     *
     * @param held the entry that the acquisition of the locks returned
     * @throws FencedException if this process was fenced; a janitor then releases the locks and closes the entry
     */
    public void release(Versioned<JournalEntry> held) {
        JournalEntry entry = held.value();
        // the process has cached the definition of the namespace since the acquisition of the locks
        LockSet set = entry.lockSetAsAsked(stores.namespaces()::known);
        release.release(entry.requestId(), set, entry.releaseOfAll());
        close(entry, Optional.of(held));
    }

    /** Repeats the write until it is acknowledged, because no other process closes the entry of a live process. */
    private void close(JournalEntry mine, Optional<Versioned<JournalEntry>> last) {
        Optional<Versioned<JournalEntry>> seen = last;
        Backoff backoff = context.backoffs().begin("the end of request " + mine.requestId());
        context.beforeWriting("the journal entry of request " + mine.requestId());
        while (!isClosed(mine, seen)) {
            backoff.pause();
            context.beforeWriting("the journal entry of request " + mine.requestId());
            seen = read(mine);
        }
    }

    /**
     * Tries one write. Returns whether an acknowledged write has closed the entry. Confirms a closed entry by a no-op
     * write. Creates a closed entry if there is none, so that an attempt that arrives late finds it.
     */
    private boolean isClosed(JournalEntry mine, Optional<Versioned<JournalEntry>> seen) {
        Next next = next(mine, seen.map(Versioned::value));
        try {
            WriteResult result = seen.isEmpty()
                    ? stores.journal().create(next.step(), next.entry())
                    : stores.journal()
                            .write(next.step(), next.entry(), seen.get().version());
            return result instanceof WriteResult.Written && next.entry().state().isFinal();
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "request {}: the write that closes its journal entry got no answer: {}; trying again",
                            mine.requestId(),
                            e.getMessage());
            return false;
        }
    }

    private record Next(JournalStep step, JournalEntry entry) {}

    private static Next next(JournalEntry mine, Optional<JournalEntry> seen) {
        if (seen.isEmpty()) {
            return new Next(JournalStep.CLOSE, mine.closed());
        }
        return switch (seen.get().state()) {
            // a sweep of a janitor created this entry as a placeholder, because a lock of this process had no entry
            case RETRY -> new Next(JournalStep.REPLACE_PLACEHOLDER, mine);
            case HELD -> new Next(JournalStep.CLOSE, mine.closed().repeatedAs(seen.get()));
            case CLOSED -> new Next(JournalStep.NO_OP, seen.get().withNoOp());
            case PREPARED, MOVING, PARKED, DONE, REJECTED, FAILED, CANCELLED ->
                throw new IllegalStateException(
                        "expected the entry of the writer " + mine.requestId() + ", found the entry of a rename");
        };
    }

    private Optional<Versioned<JournalEntry>> read(JournalEntry entry) {
        return context.retryUntilAnswered(
                "the journal entry of request " + entry.requestId(),
                () -> stores.journal().read(entry.requestId()));
    }
}
