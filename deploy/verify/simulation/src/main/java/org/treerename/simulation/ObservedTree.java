package org.treerename.simulation;

/** One tree of a run, with the objects that create the tree's requests and observe the tree's writes. */
record ObservedTree(Tree tree, Witness witness, Recorder recorder, Scene scene) {

    /**
     * @param written receives each write, and may plan faults after the write
     * @param removed receives each removal, and may create the removed document again
     */
    static ObservedTree of(World world, Tree tree, Witness.Written written, Witness.Removed removed) {
        Witness witness = new Witness(world, tree, written, removed);
        Recorder recorder = new Recorder(world.cluster(), tree, witness, world::now);
        return new ObservedTree(tree, witness, recorder, new Scene(world, tree, witness, recorder));
    }

    /** Creates the documents, and begins to record. */
    void begin() {
        scene.build();
        recorder.begin();
    }
}
