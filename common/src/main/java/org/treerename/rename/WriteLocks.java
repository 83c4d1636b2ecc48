package org.treerename.rename;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.path.Namespace;
import org.treerename.process.FencedException;
import org.treerename.rename.Acquisition.Acquired;
import org.treerename.rename.JournalEntry.Ownership;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The locks of somebody who writes into directories, under a journal entry of their own: one process takes them and gives them
 * back. Whether they still count is told by its heartbeat, not here. Any thread may call it.
 *
 * <ol>
 *   <li>one request writes the entry, HELD, and takes the locks, as often as it takes ({@link Acquisition}): if we die here, a
 *       janitor gives back what the entry names, and closes it;
 *   <li>give back the holds and the claims by their ids: if we die here, a janitor does it again;
 *   <li>write CLOSED, whatever others have made of the entry meanwhile.
 * </ol>
 */
public final class WriteLocks {

    /** What came of asking for them. */
    public sealed interface Taken {

        /** They are held; whoever has this gives them {@linkplain WriteLocks#giveBack back}. */
        record Held(Versioned<JournalEntry> entry) implements Taken {}

        /** Others held them for too long, this one among them. */
        record Locked(Blocker blocker) implements Taken {}

        /** It was to stop. */
        record Stopped() implements Taken {}

        /** Somebody has ended it, who takes this process for dead. */
        record Lost() implements Taken {}
    }

    /** How their request ids begin. */
    public static final String PREFIX = "write-";

    private static final Logger log = LoggerFactory.getLogger(WriteLocks.class);

    private final LockBooks stores;
    private final LockWatch watch;
    private final ProcessContext context;

    /**
     * @param context the process that writes; its own lock wait counts for nothing here
     */
    public WriteLocks(LockBooks stores, ProcessContext context) {
        this.stores = stores;
        this.watch = new LockWatch(stores.locks());
        this.context = context;
    }

    /**
     * Takes them; whatever comes of it but {@link Taken.Held}, nothing is held or claimed when it returns.
     *
     * @param lockWait how long it waits for locks that others hold; while nobody answers it does not count
     * @param stop ends the waiting
     * @throws IllegalArgumentException if there is no such namespace, or a directory's path is none in it
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
            return taken(new Acquisition(stores, watch, waiting, writer, set).acquire(Optional.empty()));
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
                .orElseThrow(() ->
                        new IllegalArgumentException("no namespace is called \"" + writeTarget.namespace() + "\""));
        return writeTarget
                .lockSet(LockPolicy.of(namespace))
                .orElseThrow(() -> new IllegalArgumentException(
                        writeTarget.problem(namespace.notation()).orElse("")));
    }

    /**
     * The holds were given back, but claims and an entry may stand. Where that cannot be mended this process is to stop: of
     * one that lives nobody else would clear up.
     */
    private void leaveNothing(ExternalWriter writer, LockSet set, RuntimeException failure) {
        try {
            JournalEntry begun = writer.begun(new Ownership(context.processId(), 1, null));
            context.retryUntilAnswered(
                    "the claims of " + begun.requestId(), () -> stores.locks().release(set, begun.releaseOfAll()));
            close(begun, read(begun));
        } catch (RuntimeException e) {
            log.error("request {} leaves what a janitor must clear up: this process stops", writer.requestId(), e);
            failure.addSuppressed(e);
            context.stop().request();
        }
    }

    private Taken taken(Acquired acquired) {
        return switch (acquired) {
            case Acquired.Held held -> new Taken.Held(held.own().versioned());
            case Acquired.Locked locked -> {
                giveBack(locked.own().versioned());
                yield new Taken.Locked(locked.blockers().getFirst());
            }
            case Acquired.Stopped stopped -> {
                giveBack(stopped.own().versioned());
                yield new Taken.Stopped();
            }
            case Acquired.Elsewhere elsewhere -> {
                // what a read has shown may never have been
                giveBack(elsewhere.entry());
                yield new Taken.Lost();
            }
            case Acquired.Unreadable unreadable ->
                throw new IllegalStateException("a writer reads no tree: " + unreadable.why());
            case Acquired.Expired expired ->
                throw new IllegalStateException(
                        "no record asked for " + expired.own().entry().requestId());
        };
    }

    /**
     * Gives back all that stands under an entry, and closes it.
     *
     * @throws FencedException if this process was fenced: then others do so
     */
    public void giveBack(Versioned<JournalEntry> held) {
        JournalEntry entry = held.value();
        // known since they were taken
        LockSet set = entry.lockSetAsAsked(stores.namespaces()::known);
        context.retryUntilAnswered(
                "the giving back of " + entry.requestId(), () -> stores.locks().release(set, entry.releaseOfAll()));
        watch.released(set.parts().keySet(), entry.releaseOfAll());
        close(entry, Optional.of(held));
    }

    /** Until it is acknowledged: an entry that nobody carries would stand for as long as this process lives. */
    private void close(JournalEntry mine, Optional<Versioned<JournalEntry>> last) {
        Optional<Versioned<JournalEntry>> seen = last;
        Backoff backoff = context.backoffs().begin("the end of " + mine.requestId());
        context.beforeWriting("the entry of " + mine.requestId());
        while (!isClosed(mine, seen)) {
            backoff.pause();
            context.beforeWriting("the entry of " + mine.requestId());
            seen = read(mine);
        }
    }

    /** One try. That it is closed already only an acknowledged write tells; where there is no entry, a late one must find one. */
    private boolean isClosed(JournalEntry mine, Optional<Versioned<JournalEntry>> seen) {
        JournalEntry next = next(mine, seen.map(Versioned::value));
        try {
            WriteResult result = seen.isEmpty()
                    ? stores.journal().create(next)
                    : stores.journal().write(next, seen.get().version());
            return result instanceof WriteResult.Written && next.state().isFinal();
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log("request {}: its end got no answer: {}", mine.requestId(), e.getMessage());
            return false;
        }
    }

    private static JournalEntry next(JournalEntry mine, Optional<JournalEntry> seen) {
        if (seen.isEmpty()) {
            return mine.closed();
        }
        return switch (seen.get().state()) {
            // a placeholder, for a lock of ours that came before its entry
            case RETRY -> mine;
            case HELD -> mine.closed().repeatedAs(seen.get());
            case CLOSED -> seen.get().touched();
            case PREPARED, MOVING, PARKED, DONE, REJECTED, FAILED, CANCELLED ->
                throw new IllegalStateException("a rename has the entry of the writer " + mine.requestId());
        };
    }

    private Optional<Versioned<JournalEntry>> read(JournalEntry entry) {
        return context.retryUntilAnswered(
                "the entry of " + entry.requestId(), () -> stores.journal().read(entry.requestId()));
    }
}
