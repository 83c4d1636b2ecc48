package org.treerename.simulation;

/** Makes Elasticsearch refuse some requests for a random time. */
final class Outages {

    private final World world;
    private final Stage stage;

    Outages(World world) {
        this.world = world;
        this.stage = world.stage();
    }

    /** Makes Elasticsearch refuse writes into the indices of the main tree for a random time. */
    void block() {
        refuseWrites();
        stage.scheduler().after(stage.chance().between(Phases.SECOND / 10, Phases.SECOND), this::acceptWrites);
    }

    /** Makes Elasticsearch refuse writes into the indices of the main tree until {@link #acceptWrites}. */
    void refuseWrites() {
        stage.happened(Happening.BLOCKED_INDEX, "cluster", () -> "refuses writes into the main tree");
        world.layout().block(world.cluster(), true);
    }

    /** Makes Elasticsearch refuse all requests for the control index. */
    void refuse() {
        stage.happened(Happening.CONTROL_INDEX_REFUSES, "cluster", () -> "refuses requests for the control index");
        world.cluster().refuseControl(true);
        stage.scheduler().after(stage.chance().between(Phases.SECOND / 10, 2 * Phases.SECOND), this::acceptControl);
    }

    void acceptWrites() {
        stage.report("cluster", () -> "accepts writes into the main tree again");
        world.layout().block(world.cluster(), false);
    }

    private void acceptControl() {
        stage.report("cluster", () -> "answers requests for the control index again");
        world.cluster().refuseControl(false);
    }

    /** Makes Elasticsearch accept all requests again. */
    void end() {
        acceptWrites();
        acceptControl();
    }
}
