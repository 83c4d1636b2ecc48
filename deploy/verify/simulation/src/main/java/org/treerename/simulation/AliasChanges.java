package org.treerename.simulation;

import java.util.Set;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.namespace.Granularity;
import org.treerename.simulation.elasticsearch.Indices;
import org.treerename.simulation.schedule.Chance;

/**
 * Removes an index from the alias of the main tree for a moment, as an administrator may do. Only the check of a rename
 * notices this. So no index leaves its alias while a rename is decided and has not ended, in runs with readers, and in
 * runs with locks of documents.
 */
final class AliasChanges {

    private static final Set<State> IS_MOVING = Set.of(State.MOVING, State.PARKED);
    private static final double SHARE = 0.3;
    private static final int MOST_MOMENTS = 60;
    private static final long LONGEST_NANOS = 30_000_000;

    private final World world;
    private final Chance chance;

    AliasChanges(World world, Chance chance) {
        this.world = world;
        this.chance = chance;
    }

    void plan(boolean haveReaders, long untilNanos) {
        boolean locksDocuments = world.settings().granularity() == Granularity.DOCUMENT;
        if (world.layout().indices().size() == 1 || haveReaders || locksDocuments || !chance.happens(SHARE)) {
            return;
        }
        int moments = chance.below(MOST_MOMENTS);
        for (int i = 0; i < moments; i++) {
            world.scheduler().after(chance.between(0, untilNanos - Phases.SECOND), this::leave);
        }
    }

    private void leave() {
        if (world.cluster().control(JournalEntry.class).stream().anyMatch(entry -> IS_MOVING.contains(entry.state()))) {
            return;
        }
        Layout layout = world.layout();
        Indices indices = world.cluster().indices();
        String index = chance.of(layout.indices());
        world.stage().happened(Happening.INDEX_LEFT_ITS_ALIAS, "cluster", () -> "removes " + index + " from its alias");
        indices.remove(index, layout.alias());
        world.scheduler().after(chance.between(1, LONGEST_NANOS), () -> {
            world.stage().report("cluster", () -> "adds " + index + " to its alias again");
            indices.alias(layout.alias(), layout.indices().toArray(String[]::new));
        });
    }
}
