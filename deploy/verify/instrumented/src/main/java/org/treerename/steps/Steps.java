package org.treerename.steps;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.lock.ForwardingLockStore;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.rename.Stores;
import org.treerename.request.Outcomes;
import org.treerename.steps.Step.Answer;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;
import org.treerename.tree.Document;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/**
 * Records the calls of a process to the stores as {@linkplain Step steps}. A step is recorded when the answer to its
 * call has arrived, or when the wait for the answer has ended. Any thread may call this class.
 */
public final class Steps {

    private final Consumer<Step> taken;

    private Steps(Consumer<Step> taken) {
        this.taken = taken;
    }

    /** Returns stores that pass every step to the consumer. */
    public static Stores recorded(Stores stores, Consumer<Step> taken) {
        Steps steps = new Steps(taken);
        return new Stores(
                stores.namespaces(),
                new OfJournal(stores.journal(), steps),
                new OfLocks(stores.locks(), steps),
                new OfTree(stores.tree(), steps),
                steps.of(stores.outcomes()));
    }

    /** Returns stores that log every step. */
    public static Stores logged(Stores stores) {
        Logger log = LoggerFactory.getLogger(Steps.class);
        return recorded(stores, step -> log.info("{}", step));
    }

    private void took(Step step) {
        taken.accept(step);
    }

    /** Records the call even if no answer arrives. */
    private <T> T report(Step unanswered, Supplier<T> call, Function<T, Step> answered) {
        T answer;
        try {
            answer = call.get();
        } catch (NoAnswerException e) {
            took(unanswered);
            throw e;
        }
        took(answered.apply(answer));
        return answer;
    }

    private void report(Function<Answer, Step> step, Runnable call) {
        report(
                step.apply(Answer.UNKNOWN),
                () -> {
                    call.run();
                    return true;
                },
                done -> step.apply(Answer.WRITTEN));
    }

    /** Records every write of a journal entry. */
    private record OfJournal(Journal journal, Steps steps) implements ForwardingJournal {

        @Override
        public Prepared prepare(Attempt attempt) {
            String locks = attempt.locks().modes().entrySet().stream()
                    .map(lock -> lock.getValue() + " " + lock.getKey())
                    .collect(Collectors.joining("\n"));
            return steps.report(
                    step("prepare", attempt.entry(), Answer.UNKNOWN).taking(false, locks),
                    () -> journal.prepare(attempt),
                    prepared -> step("prepare", attempt.entry(), answer(prepared.entry()))
                            .taking(prepared.taken(), locks));
        }

        @Override
        public WriteResult create(JournalStep step, JournalEntry entry) {
            return written("create", entry, () -> journal.create(step, entry));
        }

        @Override
        public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
            return written("write", entry, () -> journal.write(step, entry, seen));
        }

        private WriteResult written(String call, JournalEntry entry, Supplier<WriteResult> writing) {
            return steps.report(
                    step(call, entry, Answer.UNKNOWN), writing, result -> step(call, entry, answer(result)));
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

    /** Records every release of holds and claims. */
    private record OfLocks(LockStore locks, Steps steps) implements ForwardingLockStore {

        @Override
        public void release(LockSet set, Release release) {
            released(release, () -> locks.release(set, release));
        }

        @Override
        public void release(Collection<LockTable.Id> tables, Release release) {
            released(release, () -> locks.release(tables, release));
        }

        @Override
        public void releaseFromDocuments(String namespace, Release release) {
            released(release, () -> locks.releaseFromDocuments(namespace, release));
        }

        private void released(Release release, Runnable releasing) {
            steps.report(
                    answer -> Step.of("release", release.claimOf().orElse(""), answer)
                            .giving(
                                    String.join(" ", release.holdIds()),
                                    release.claimOf().isPresent()),
                    releasing);
        }
    }

    /** Records every page that a pass finds, the end of every pass, and every move of documents. */
    private record OfTree(TreeStore tree, Steps steps) implements ForwardingTreeStore {

        @Override
        public Scan scan(Namespace namespace, TreePath path, Reach reach) {
            return recorded(tree.scan(namespace, path, reach), reach);
        }

        @Override
        public Scan open(Rename rename, TreeSnapshot snapshot) {
            return recorded(tree.open(rename, snapshot), Reach.AT_OR_BELOW);
        }

        private Scan recorded(Scan scan, Reach reach) {
            return new Scan() {
                private long found;

                @Override
                public List<Document> nextPage() {
                    List<Document> page = scan.nextPage();
                    found += page.size();
                    steps.took(
                            page.isEmpty()
                                    ? Step.of("pass", "", Answer.WRITTEN).of(reach.name(), found)
                                    : Step.of("page", "", Answer.WRITTEN).of(reach.name(), page.size()));
                    return page;
                }

                @Override
                public void close() {
                    scan.close();
                }
            };
        }

        @Override
        public List<Written> move(Namespace namespace, List<Move> moves) {
            return steps.report(
                    Step.of("move", "", Answer.UNKNOWN),
                    () -> tree.move(namespace, moves),
                    written -> Step.of("move", "", Answer.WRITTEN)
                            .of(
                                    "",
                                    written.stream()
                                            .filter(Written.Done.class::isInstance)
                                            .count()));
        }
    }

    private Outcomes of(Outcomes outcomes) {
        return (requestId, outcome) ->
                report(answer -> Step.of("publish", requestId, answer), () -> outcomes.publish(requestId, outcome));
    }
}
