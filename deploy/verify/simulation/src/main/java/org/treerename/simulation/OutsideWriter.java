package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedTreeStore;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;
import org.treerename.tree.Condition;
import org.treerename.tree.Document;
import org.treerename.tree.PathFields;
import org.treerename.tree.RawJson;
import org.treerename.tree.TreeStore.Removal;

/**
 * An outside writer is a writer without locks. The writer makes four kinds of changes:
 * <ul>
 *   <li>edits of a document's contents, if the document still has the version that the writer has read;
 *   <li>new files in directories that exist, or that existed before;
 *   <li>deletions of the writer's own files;
 *   <li>a file at a new path, under the id of one of the writer's earlier files. The earlier file may still exist.
 * </ul>
 */
final class OutsideWriter {

    private static final double FROM_MEMORY = 0.4;

    private final World world;
    private final Actor actor;
    private final SimulatedTreeStore tree;
    private final List<Document.Ref> own = new ArrayList<>();
    private final SortedSet<String> everSeen = new TreeSet<>();
    private int written;

    OutsideWriter(World world, int number) {
        this.world = world;
        this.actor = world.actor(Witness.OUTSIDE + number);
        Wire wire = world.network().quietWire(actor, Duration.ofSeconds(2));
        this.tree = new SimulatedTreeStore(wire, world.cluster(), 1);
    }

    /** Writes at random intervals until the time {@code untilNanos}. */
    void begin(long untilNanos, long everyNanos) {
        world.scheduler().begin(actor, () -> {
            while (world.scheduler().nowNanos() < untilNanos) {
                world.scheduler().pause(world.stage().chance().between(0, 2 * everyNanos));
                try {
                    act();
                } catch (NoAnswerException e) {
                    world.stage().report(actor.name(), e::getMessage);
                }
            }
        });
    }

    private void act() {
        Chance chance = world.stage().chance();
        int what = chance.below(4);
        if (what == 0) {
            create();
        } else if (what == 1 && !own.isEmpty()) {
            delete(own.remove(chance.below(own.size())));
        } else if (what == 2 && !own.isEmpty()) {
            putElsewhere(chance.of(own).id());
        } else {
            edit(chance.of(world.main().documents(world.cluster())));
        }
    }

    private void create() {
        String id = actor.name() + "-" + (written + 1);
        TreePath path = newPath();
        world.stage().happened(Happening.OUTSIDE_CREATION, actor.name(), () -> "creates " + path);
        world.layout().put(tree, id, path, "file", written);
        tree.read(World.FILES, world.layout().ref(id, new Version(0, 0)))
                .ifPresent(document -> own.add(document.ref()));
    }

    /** Returns a path that was never used, in a directory that exists or existed. */
    private TreePath newPath() {
        List<String> directories = world.main().documents(world.cluster()).stream()
                .filter(stored -> "directory".equals(stored.document().text("type")))
                .map(stored -> String.valueOf(stored.document().text("path")))
                .toList();
        everSeen.addAll(directories);
        written++;
        List<String> known = world.stage().chance().happens(FROM_MEMORY) ? List.copyOf(everSeen) : directories;
        return new TreePath(world.stage().chance().of(known)).child(actor.name() + "-" + written);
    }

    private void putElsewhere(String id) {
        TreePath path = newPath();
        boolean isThere = world.main().documents(world.cluster()).stream()
                .anyMatch(stored -> stored.id().equals(id));
        world.stage()
                .happened(
                        isThere ? Happening.OUTSIDE_MOVE : Happening.OUTSIDE_RETURN,
                        actor.name(),
                        () -> "puts " + id + " at " + path);
        world.layout().put(tree, id, path, "file", written);
    }

    private void edit(Cluster.StoredDocument stored) {
        Document.Ref ref = world.layout().ref(stored.id(), stored.version());
        Optional<Document> read = tree.read(World.FILES, ref);
        written++;
        Optional<RawJson> edited = read.flatMap(document -> PathFields.rewritten(
                document.source(), "text", Map.of("text", actor.name() + " was here, " + written)));
        if (edited.isPresent()
                && tree.edit(read.get(), world.layout().document(stored.id(), edited.get()))
                        instanceof WriteResult.Written) {
            world.stage().happened(Happening.OUTSIDE_EDIT, actor.name(), () -> "has edited " + stored.id());
        }
    }

    /** If another system gives the versions, the removal has a higher version than all requests so far. */
    private Removal removal(Document.Ref ref) {
        return world.files().rules().version() == VersionOwner.SEQ_NO
                ? new Removal(ref)
                : new Removal(ref, new Condition.Above(world.cluster().nextExternal(), false));
    }

    private void delete(Document.Ref ref) {
        tree.read(World.FILES, ref).ifPresent(document -> {
            tree.remove(List.of(removal(document.ref())));
            world.stage().happened(Happening.OUTSIDE_DELETION, actor.name(), () -> "deletes " + ref.id());
        });
    }
}
