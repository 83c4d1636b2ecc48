package org.treerename.local;

import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.treerename.checker.JournalDump;
import org.treerename.checker.TreeModel;
import org.treerename.path.TreePath;
import org.treerename.runtime.Time;

/** Plays the scenes of the demo: sends the renames of each scene, and prints the events. */
final class DemoStory {

    /** The largest number of tries to make a rename wait for a lock. Whether a try succeeds depends on the timing. */
    static final int TRIES = 6;

    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration GROUP_POLL = Duration.ofMillis(250);
    private static final Duration BEGUN = Duration.ofMinutes(2);

    private final DemoStage stage;
    private final Narrator narrator;
    private final Time time;
    private final TreeModel tree;
    private final DemoCast cast;
    private TreePath greatNow;

    DemoStory(DemoStage stage, Narrator narrator, Time time, TreeModel tree) {
        this.stage = stage;
        this.narrator = narrator;
        this.time = time;
        this.tree = tree;
        this.cast = DemoCast.of(tree);
        this.greatNow = cast.great();
    }

    /** Waits until every worker has partitions. */
    void awaitWorkers(Admin admin, int workers) {
        if (!new Patience(time, GROUP_POLL)
                .until(BEGUN, () -> Assignment.read(admin).isComplete(workers))) {
            throw new IllegalStateException("expected that each worker has a partition within "
                    + Narrator.seconds(BEGUN) + ", but the assignment is not complete; read the logs of the workers");
        }
    }

    /**
     * Renames a directory with thousands of documents. During this rename, a second sender requests a rename of a file
     * inside the directory. This request contains the old path of the file. If the rename of the file did not wait for
     * a lock, the scene is repeated in the opposite direction.
     *
     * @return whether the rename of the file had to wait for a lock
     */
    boolean playScene() throws InterruptedException {
        narrator.report(
                "%s has %,d documents. During the rename of this directory, another sender renames a file inside the"
                        + " directory. The request contains the old path of the file.",
                cast.great(), tree.documentsAtOrBelow(cast.great().text()));
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            if (playOnce()) {
                return true;
            }
            narrator.report(
                    "No rename had to wait in this try (the wait depends on the timing); %s.",
                    attempt < TRIES ? "trying again in the opposite direction" : "that was the last try");
        }
        return false;
    }

    /**
     * Renames the large directory, and kills the worker in the middle of this rename. A janitor finishes the rename.
     * The other worker processes the next rename.
     *
     * @return whether the rename was rolled forward
     */
    boolean playDeath(DemoDeath death, RunningStack stack) throws InterruptedException {
        boolean rolledForward = death.play(stack, greatNow, otherName());
        narrator.report("The other worker processes the next rename.");
        stage.play(
                cast.child(),
                cast.child().parent().child(free(cast.child(), "-f").name()));
        return rolledForward;
    }

    private TreePath otherName() {
        return greatNow.equals(cast.great()) ? free(cast.great(), "-renamed") : cast.great();
    }

    private boolean playOnce() throws InterruptedException {
        TreePath from = greatNow;
        TreePath to = otherName();
        String first = stage.newRequestId();
        String second = stage.newRequestId();
        TreePath file = now(cast.file());
        DemoStage.Asked great = stage.send(first, from, to);
        boolean moving = awaitMoving(first);
        if (moving) {
            narrator.report("running    the documents of %s are being moved", from);
        }
        DemoStage.Asked small = stage.sendAsAnother(second, file, file.parent().child(file.name() + ".renamed"));
        boolean renamed = stage.await(great).isCompleted();
        if (renamed) {
            greatNow = to;
        }
        JournalDump.Entry entry = stage.await(small);
        if (renamed && entry.isCompleted()) {
            throw new IllegalStateException("expected that the rename of " + file
                    + " fails, but it completed; its request was sent after the commit of the rename of " + from);
        }
        return moving && entry.refusals() > 0;
    }

    /** Waits for the commit. Returns whether the rename moves documents now; false if the rename has ended already. */
    private boolean awaitMoving(String requestId) {
        Patience patience = new Patience(time, POLL);
        if (!patience.until(
                BEGUN,
                () -> stage.entry(requestId)
                        .filter(entry -> !entry.state().equals("prepared"))
                        .isPresent())) {
            throw new IllegalStateException("request " + requestId + ": expected its commit within "
                    + Narrator.seconds(BEGUN) + ", found none; read the logs of the workers");
        }
        Optional<JournalDump.Entry> entry = stage.entry(requestId);
        return entry.filter(e -> e.state().equals("moving")).isPresent();
    }

    /** Runs renames that depend on each other. Each rename is sent after the outcome of the previous rename. */
    void playChain() throws InterruptedException {
        TreePath first = now(cast.chain());
        String name = cast.chain().name();
        TreePath second = first.parent().child(free(cast.chain(), "-b").name());
        TreePath third = first.parent().child(free(cast.chain(), "-c").name());
        TreePath aside = first.parent().child(free(cast.chain(), "-d").name());
        TreePath child = third.child(cast.child().name());
        narrator.report(
                "%s and its child %s are renamed several times, until they have their old names again."
                        + " Each rename depends on the result of the previous rename.",
                name, child.name());
        stage.play(first, second);
        stage.play(second, third);
        stage.play(child, aside);
        stage.play(second, aside.parent().child(free(cast.chain(), "-e").name()));
        stage.play(aside, child);
        stage.play(third, first);
    }

    /** Returns the current path of an entry. {@code path} is the path before all renames of the large directory. */
    private TreePath now(TreePath path) {
        return path.isAtOrBelow(cast.great())
                ? new TreePath(greatNow.text()
                        + path.text().substring(cast.great().text().length()))
                : path;
    }

    /** Returns the path with the suffix. Appends hyphens if the tree already has a document at this path. */
    private TreePath free(TreePath path, String suffix) {
        TreePath candidate = path.parent().child(path.name() + suffix);
        while (tree.documentsAtOrBelow(candidate.text()) > 0) {
            candidate = candidate.parent().child(candidate.name() + "-");
        }
        return candidate;
    }
}
