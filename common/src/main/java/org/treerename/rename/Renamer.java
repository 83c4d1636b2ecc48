package org.treerename.rename;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.OwnEntry;
import org.treerename.process.ProcessContext;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.store.Versioned;

/**
 * Processes one delivered request until its outcome is published. Any number of threads may call this class, each for
 * another delivery. Only one thread at a time processes a request ({@link RenameSteps}). Other deliveries of the same
 * request wait until the request has ended, and are answered from the journal ({@link JournalAnswers}).
 */
public final class Renamer {

    /** The result of one delivery. Only a delivery with the result {@link Stopped} must be repeated. */
    public sealed interface Answer {

        /** The outcome is final and published. */
        record Published(String outcome) implements Answer {}

        /** The request id belongs to another request, which has its own outcome. */
        record Reused() implements Answer {}

        /** The rename is decided, but a document cannot be moved now. The rename will be finished later. */
        record Parked() implements Answer {}

        /** The stored entry is damaged, so the process cannot record the end of the request. */
        record Unanswerable(String why) implements Answer {}

        /**
         * The process must stop. The request has not ended. This process no longer processes this delivery, so Kafka
         * must deliver the request again.
         */
        record Stopped() implements Answer {}

        /** Returns the reason why this answer is an error; empty if the answer is not an error. */
        default Optional<String> problem() {
            return switch (this) {
                case Reused reused -> Optional.of("the request id belongs to another request");
                case Unanswerable no -> Optional.of(no.why());
                case Published published -> Optional.empty();
                case Parked parked -> Optional.empty();
                case Stopped stopped -> Optional.empty();
            };
        }
    }

    /**
     * The identity of a request: its id and the digest of its content. Two requests with the same id and different
     * contents have different identities. A thread that processes one of these requests never continues the entry of
     * the other request.
     */
    private record RequestIdentity(String requestId, String digest) {}

    /**
     * The state that all renamers of one process share.
     *
     * @param inProgress the requests that threads of this process are processing. Only one thread at a time processes a
     *     request, even if the request is delivered several times
     */
    private record Shared(SnapshotReader trees, LockWatch watch, Set<RequestIdentity> inProgress) {}

    private final Stores stores;
    private final ProcessContext context;
    private final Shared shared;
    private final RenameSteps steps;
    private final JournalAnswers answers;

    public Renamer(Stores stores, ProcessContext context) {
        this(
                stores,
                context,
                new Shared(
                        new SnapshotReader(stores.tree()),
                        new LockWatch(stores.locks()),
                        ConcurrentHashMap.newKeySet()));
    }

    private Renamer(Stores stores, ProcessContext context, Shared shared) {
        Completion completion = new Completion(stores, context, shared.watch());
        this.stores = stores;
        this.context = context;
        this.shared = shared;
        this.steps = new RenameSteps(stores, context, completion, shared.trees(), shared.watch());
        this.answers = new JournalAnswers(stores, context, completion);
    }

    /**
     * Returns a renamer that the given signal can stop. The returned renamer shares the requests in progress with this
     * renamer.
     *
     * @param stop the signal for these deliveries
     */
    public Renamer stoppedBy(StopSignal stop) {
        return new Renamer(stores, context.stoppedBy(stop), shared);
    }

    /** Returns whether the process must stop, or must give up the deliveries of this renamer. */
    public boolean isStopping() {
        return context.stop().isRequested();
    }

    /**
     * Processes one delivery. Returns when the request has ended or when the delivery must be repeated.
     *
     * @throws RuntimeException for an unexpected failure: a second call continues from the state in the journal
     */
    public Answer run(Delivery delivery) {
        Validation validation = context.retryUntilAnswered(
                "the namespace of request " + delivery.requestId(),
                () -> Validation.of(delivery.asked(), stores.namespaces()::find));
        return run(delivery, validation);
    }

    /**
     * Ends a delivery after all its tries have failed. An undecided request fails; a decided request is parked. If
     * another thread or process owns the request, this method waits until the request has ended.
     *
     * @throws RuntimeException if this method cannot end the delivery because of an unexpected failure
     */
    Answer giveUp(Delivery delivery, String why) {
        return run(delivery, new Validation.Hopeless(why));
    }

    private Answer run(Delivery delivery, Validation validation) {
        String requestId = delivery.requestId();
        RequestIdentity identity = new RequestIdentity(requestId, delivery.digest());
        Backoff backoff = context.backoffs().begin("the end of request " + requestId);
        boolean isOwner = shared.inProgress().add(identity);
        try {
            Optional<Answer> answer = isOwner ? steps.begin(delivery, validation, Optional.empty()) : Optional.empty();
            while (answer.isEmpty()) {
                isOwner = isOwner || shared.inProgress().add(identity);
                Optional<Versioned<JournalEntry>> found = context.retryUntilAnswered(
                        "the read of the journal entry of request " + requestId,
                        () -> stores.journal().read(requestId));
                answer = isOwner ? continueOwned(delivery, validation, found) : awaitEnd(delivery, validation, found);
                if (answer.isEmpty()) {
                    backoff.pause();
                }
            }
            return answer.get();
        } finally {
            if (isOwner) {
                shared.inProgress().remove(identity);
            }
        }
    }

    /**
     * Continues a request that no other thread of this process is processing. Returns empty if the caller must read the
     * entry again.
     */
    private Optional<Answer> continueOwned(
            Delivery delivery, Validation validation, Optional<Versioned<JournalEntry>> read) {
        if (read.isEmpty()) {
            return steps.begin(delivery, validation, read);
        }
        Versioned<JournalEntry> found = read.get();
        JournalEntry entry = found.value();
        if (!entry.isOf(delivery) || entry.state().isFinal()) {
            return continueFrom(delivery, validation, found);
        }
        if (OwnEntry.isDropped(entry, context)) {
            return steps.pickUp(delivery, validation, found);
        }
        // The read may be stale, and this process may own the entry. So a stop needs an acknowledged write: no open
        // entry of this process may be left without a thread.
        return context.stop().isRequested()
                ? answers.ifConfirmed(delivery, found, new Answer.Stopped())
                : continueFrom(delivery, validation, found);
    }

    /**
     * Answers a delivery whose request another thread of this process is processing. Returns empty if the request has
     * not ended: the caller then reads the entry again.
     */
    private Optional<Answer> awaitEnd(
            Delivery delivery, Validation validation, Optional<Versioned<JournalEntry>> read) {
        boolean ended = read.isPresent() && read.get().value().state().isFinal();
        if (ended) {
            return continueFrom(delivery, validation, read.get());
        }
        return context.stop().isRequested() ? Optional.of(new Answer.Stopped()) : Optional.empty();
    }

    /**
     * Continues from the state in the journal: answers from the journal, or begins the request again. Returns empty
     * while the owner is processing the request.
     */
    private Optional<Answer> continueFrom(Delivery delivery, Validation validation, Versioned<JournalEntry> found) {
        JournalEntry entry = found.value();
        if (!entry.isOf(delivery)) {
            return answers.ifConfirmed(delivery, found, new Answer.Reused());
        }
        return switch (entry.state()) {
            case RETRY -> steps.begin(delivery, validation, Optional.of(found));
            case PREPARED, HELD, MOVING -> Optional.empty();
            case PARKED -> answers.ifConfirmed(delivery, found, new Answer.Parked());
            case DONE, REJECTED, FAILED, CANCELLED, CLOSED -> answers.ofEnded(delivery, found);
        };
    }
}
