package org.treerename.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.Child;
import org.treerename.producer.reader.Page;
import org.treerename.producer.reader.Position;
import org.treerename.producer.reader.Reach;
import org.treerename.producer.reader.TreeChangedException;
import org.treerename.producer.reader.TreeEntry;
import org.treerename.producer.reader.TreeView;
import org.treerename.producer.reader.TreeViews;
import org.treerename.producer.reader.ViewToken;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.simulation.elasticsearch.SimulatedPointsInTime;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.PathFields;

/**
 * Runs a program that opens views of a tree, one after the other, and sends several requests to each view. All answers
 * of a view must show the tree as it was at one moment while the view was opened. The node of the reader is never cut
 * off, because the protocol makes no guarantee for views of a cut-off node.
 */
final class Reader {

    private static final double ONE_QUESTION = 0.3;
    private static final double OF_ALL = 0.3;
    private static final double OF_WHAT_MOVES = 0.6;
    private static final double REFRESHED = 0.6;
    private static final double PASSED_ON = 0.3;
    private static final int LARGEST_PAGE = 6;
    private static final int ALL = TreeView.LARGEST_PAGE;
    private static final long LONGEST_REST_NANOS = 400_000_000;
    private static final long LONGEST_PAUSE_NANOS = 60_000_000;

    private final World world;
    private final Tree tree;
    private final ModelTree model;
    private final Chance chance;
    private final Actor actor;
    private final TreeViews views;

    /**
     * @param chance a separate source of random values, so that this class does not change the random values of other
     *     classes
     */
    Reader(World world, Tree tree, ModelTree model, Chance chance, String name) {
        this.world = world;
        this.tree = tree;
        this.model = model;
        this.chance = chance;
        this.actor = world.scheduler().actor(name, 1, 0);
        Wire wire = world.network().wire(actor, world.settings().requestTimeout());
        this.views = world.wiring()
                .views(
                        new SimulatedLockStore(wire, world.cluster()),
                        new SimulatedJournal(wire, world.cluster()),
                        new SimulatedPointsInTime(wire, world.cluster()),
                        new SimulatedTime(world.scheduler(), actor, World.START));
    }

    void begin(long untilNanos) {
        world.scheduler().begin(actor, () -> {
            while (world.scheduler().nowNanos() < untilNanos) {
                world.scheduler().pause(chance.between(0, LONGEST_REST_NANOS));
                try {
                    if (chance.happens(ONE_QUESTION)) {
                        ask(path());
                    } else {
                        read(path());
                    }
                } catch (NoAnswerException | RefusedException | TreeChangedException e) {
                    world.stage().report(actor.name(), e::getMessage);
                }
            }
        });
    }

    void bury() {
        world.scheduler().kill(actor);
    }

    private TreePath path() {
        if (chance.happens(OF_ALL)) {
            return TreePath.ROOT;
        }
        List<String> ends = world.cluster().control(JournalEntry.class).stream()
                .filter(entry -> entry.state() == State.PREPARED || entry.state() == State.MOVING)
                .flatMap(entry -> Witness.rename(entry, tree.namespace()).stream())
                .flatMap(rename -> Stream.of(rename.source(), rename.destination()))
                .flatMap(end -> Stream.of(end, end.parent()))
                .map(TreePath::text)
                .toList();
        List<String> any = List.copyOf(model.paths().values());
        return new TreePath(chance.of(ends.isEmpty() || !chance.happens(OF_WHAT_MOVES) ? any : ends));
    }

    private void read(TreePath path) {
        boolean isRefreshed = chance.happens(REFRESHED);
        int from = model.moment();
        try (TreeView opened = views.open(tree.namespace(), path, new TreeViews.Options(isRefreshed, false))) {
            int until = model.moment();
            TreeView view = chance.happens(PASSED_ON) ? passedOn(opened) : opened;
            world.stage().happened(Happening.VIEW, actor.name(), () -> "has opened a view of " + path);
            if (!view.saved().renames().isEmpty()) {
                world.stage().tally().count(Happening.VIEW_OF_WHAT_MOVES);
            }
            List<TreeEntry> found = find(view, path);
            check(path, found, new ModelTree.Interval(from, until), isRefreshed);
            if (chance.happens(0.5)) {
                count(view, path, found);
            }
            if (chance.happens(0.5)) {
                list(view, path, found);
            }
            if (model.moment() > from) {
                world.stage().tally().count(Happening.VIEW_WHILE_THE_TREE_CHANGES);
            }
        }
    }

    /** Sends a single request without opening a view. */
    private void ask(TreePath path) {
        boolean isRefreshed = chance.happens(REFRESHED);
        TreeViews.Options options = new TreeViews.Options(isRefreshed, false);
        int from = model.moment();
        if (chance.happens(0.5)) {
            List<TreeEntry> found = views.answer(
                    tree.namespace(),
                    path,
                    options,
                    view -> view.find(path, Reach.AT_OR_BELOW, null, null, ALL).items());
            check(path, found, new ModelTree.Interval(from, model.moment()), isRefreshed);
        } else {
            long count = views.answer(
                    tree.namespace(),
                    path,
                    options,
                    view -> view.count(path, Reach.AT_OR_BELOW, SimulatedPointsInTime.OWN));
            ModelTree.Interval asked = new ModelTree.Interval(from, model.moment());
            if (!model.isCountedBy(path, count, asked, isRefreshed)) {
                violated("counts documents at and below " + path + ": " + count
                        + "; expected the number at one moment, from " + model.at(asked.from()) + " to "
                        + model.at(asked.until()));
            }
        }
        world.stage().tally().count(Happening.ANSWER_WITHOUT_A_VIEW);
        if (model.moment() > from) {
            world.stage().tally().count(Happening.ANSWER_WHILE_THE_TREE_CHANGES);
        }
    }

    /** Opens the same view again from its token, as another process with this token does. */
    private TreeView passedOn(TreeView view) {
        Position first = new Position(0, List.of(), null, 0);
        String token = new ViewToken(view.saved(), first).text();
        return views.reopen(
                tree.namespace(),
                ViewToken.of(token, tree.namespace().notation()).view());
    }

    private interface Ask<T> {
        Page<T> page(@Nullable Position after, int most);
    }

    private <T> List<T> all(Ask<T> ask) {
        List<T> all = new ArrayList<>();
        Position next = null;
        do {
            if (next != null) {
                world.scheduler().pause(chance.between(0, LONGEST_PAUSE_NANOS));
            }
            Page<T> page = ask.page(next, 1 + chance.below(LARGEST_PAGE));
            all.addAll(page.items());
            next = page.next();
        } while (next != null);
        return all;
    }

    private List<TreeEntry> find(TreeView view, TreePath path) {
        return all((after, most) -> view.find(path, Reach.AT_OR_BELOW, null, after, most));
    }

    private void check(TreePath path, List<TreeEntry> found, ModelTree.Interval opening, boolean isRefreshed) {
        Map<String, String> shown = new HashMap<>();
        String last = "";
        for (TreeEntry entry : found) {
            if (PathFields.path(tree.namespace(), entry.source())
                    .filter(entry.path()::equals)
                    .isEmpty()) {
                violated("shows " + entry.id() + " at " + entry.path() + " with the fields " + entry.source());
            }
            if (entry.path().compareTo(last) < 0) {
                violated("shows " + entry.path() + " after " + last);
            }
            last = entry.path();
            if (!entry.id().startsWith(Witness.OUTSIDE) && shown.put(entry.id(), entry.path()) != null) {
                violated("shows " + entry.id() + " twice");
            }
        }
        if (!model.isShownBy(path, shown, opening, isRefreshed)) {
            violated("shows at and below " + path + ": " + new TreeMap<>(shown)
                    + "; expected the tree at one moment, from " + model.at(opening.from()) + " to "
                    + model.at(opening.until()));
        }
    }

    private void count(TreeView view, TreePath path, List<TreeEntry> found) {
        long count = view.count(path, Reach.AT_OR_BELOW, null);
        if (count != found.size()) {
            violated("counts " + count + " documents at and below " + path + ", but shows " + found.size());
        }
    }

    private void list(TreeView view, TreePath path, List<TreeEntry> found) {
        Map<String, Child> expected = new LinkedHashMap<>();
        for (TreeEntry entry : found) {
            if (new TreePath(entry.path()).isBelow(path)) {
                String child = tree.namespace()
                        .notation()
                        .firstOf(entry.path(), tree.namespace().notation().depthOf(path.text()) + 1);
                boolean isAtIt = child.equals(entry.path());
                expected.merge(
                        child,
                        new Child(child, isAtIt ? 1 : 0, isAtIt ? 0 : 1, false),
                        (one, other) -> new Child(
                                child, one.documents() + other.documents(), one.below() + other.below(), false));
            }
        }
        List<Child> listed = all((after, most) -> view.list(path, after, most)).stream()
                .map(child -> new Child(child.path(), child.documents(), child.below(), false))
                .toList();
        if (!listed.equals(List.copyOf(expected.values()))) {
            violated("lists directly below " + path + " " + listed + ", but shows "
                    + found.stream()
                            .map(entry -> entry.id() + "=" + entry.path())
                            .toList());
        }
    }

    private void violated(String words) {
        world.stage().report(actor.name(), () -> "VIOLATES point " + Point.ONE_MOMENT.number() + ": " + words);
        world.stage().violations().add(Point.ONE_MOMENT, actor.name() + " " + words);
    }
}
