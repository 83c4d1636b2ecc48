package org.treerename.local;

import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.treerename.checker.JournalDump;
import org.treerename.checker.TreeModel;
import org.treerename.path.TreePath;
import org.treerename.runtime.Time;

/** What is renamed in the demo, and when. */
final class DemoStory {

    /** How often the scene is played until somebody has to wait: it is a race. */
    static final int TRIES = 6;

    private static final int IDS = 1_000;
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

    /** Waits until all workers take requests; who reads what then. */
    Assignment awaitWorkers(Admin admin, int workers) {
        if (!new Patience(time, GROUP_POLL)
                .until(BEGUN, () -> Assignment.read(admin).isComplete(workers))) {
            throw new IllegalStateException("the workers have not shared the requests out within " + BEGUN);
        }
        return Assignment.read(admin);
    }

    /**
     * A directory with thousands of documents is renamed and, while that runs, somebody else renames a file inside it, by its
     * old name. Played
     * again, the other way round, until the file's rename was refused a lock.
     *
     * @return whether it was
     */
    boolean playScene(Assignment assignment) throws InterruptedException {
        narrator.tell(
                "%s has %,d documents. While it is renamed, somebody else renames a file inside it, by its old name.",
                cast.great(), tree.documentsAtOrBelow(cast.great().text()));
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            if (playOnce(assignment)) {
                return true;
            }
            narrator.tell(
                    "Nobody had to wait this time (it is a race); %s.",
                    attempt < TRIES ? "once more, the other way round" : "that was the last try");
        }
        return false;
    }

    /**
     * In the middle of the great rename its worker is killed; a janitor ends it, and the worker that is left goes on.
     *
     * @return whether the rename was rolled forward
     */
    boolean playDeath(DemoDeath death, RunningStack stack) throws InterruptedException {
        boolean rolledForward = death.play(stack, greatNow, otherName());
        narrator.tell("The worker that is left goes on.");
        stage.play(
                cast.child(),
                cast.child().parent().child(free(cast.child(), "-f").name()));
        return rolledForward;
    }

    private TreePath otherName() {
        return greatNow.equals(cast.great()) ? free(cast.great(), "-renamed") : cast.great();
    }

    private boolean playOnce(Assignment assignment) throws InterruptedException {
        TreePath from = greatNow;
        TreePath to = otherName();
        String first = stage.newRequestId();
        String second = stage.newRequestId();
        for (int i = 0; i < IDS && !assignment.areApart(first, second); i++) {
            second = stage.newRequestId();
        }
        TreePath file = now(cast.file());
        DemoStage.Asked great = stage.send(first, from, to);
        boolean moving = awaitMoving(first);
        if (moving) {
            narrator.tell("running    %s is being moved", from);
        }
        DemoStage.Asked small = stage.sendAsAnother(second, file, file.parent().child(file.name() + ".renamed"));
        boolean renamed = stage.await(great).isCompleted();
        if (renamed) {
            greatNow = to;
        }
        JournalDump.Entry entry = stage.await(small);
        if (renamed && entry.isCompleted()) {
            throw new IllegalStateException("the rename of " + file + " was sent after the one of " + from
                    + " was decided, so nothing can have stood there; yet it completed");
        }
        return moving && entry.refusals() > 0;
    }

    /** Whether it is met in the middle; false if it has ended before anybody looked. */
    private boolean awaitMoving(String requestId) {
        Patience patience = new Patience(time, POLL);
        if (!patience.until(
                BEGUN,
                () -> stage.entry(requestId)
                        .filter(entry -> !entry.state().equals("prepared"))
                        .isPresent())) {
            throw new IllegalStateException("request " + requestId + " was not begun within " + BEGUN);
        }
        Optional<JournalDump.Entry> entry = stage.entry(requestId);
        return entry.filter(e -> e.state().equals("moving")).isPresent();
    }

    /** Renames of which each needs what the one before has done; each is sent when the one before has ended. */
    void playChain() throws InterruptedException {
        TreePath first = now(cast.chain());
        String name = cast.chain().name();
        TreePath second = first.parent().child(free(cast.chain(), "-b").name());
        TreePath third = first.parent().child(free(cast.chain(), "-c").name());
        TreePath aside = first.parent().child(free(cast.chain(), "-d").name());
        TreePath child = third.child(cast.child().name());
        narrator.tell(
                "%s and its entry %s go round; each rename needs what the one before has done.", name, child.name());
        stage.play(first, second);
        stage.play(second, third);
        stage.play(child, aside);
        stage.play(second, aside.parent().child(free(cast.chain(), "-e").name()));
        stage.play(aside, child);
        stage.play(third, first);
    }

    /** Where something stands after the great renames so far. */
    private TreePath now(TreePath path) {
        return path.isAtOrBelow(cast.great())
                ? new TreePath(greatNow.text()
                        + path.text().substring(cast.great().text().length()))
                : path;
    }

    /** The path with something behind it that makes it free. */
    private TreePath free(TreePath path, String suffix) {
        TreePath candidate = path.parent().child(path.name() + suffix);
        while (tree.documentsAtOrBelow(candidate.text()) > 0) {
            candidate = candidate.parent().child(candidate.name() + "-");
        }
        return candidate;
    }
}
