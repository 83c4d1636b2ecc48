package org.treerename.worker;

import org.treerename.namespace.Granularity;
import org.treerename.rename.Renamer;

/** Adds the {@link Renamer} of a worker to the test world of a process. */
public class World extends org.treerename.rename.World {

    public World() {}

    public World(Granularity granularity) {
        super(granularity);
    }

    @Override
    public World withTree() {
        super.withTree();
        return this;
    }

    public Renamer renamer() {
        return renamer("worker-1");
    }

    public Renamer renamer(String processId) {
        return new Renamer(stores(), context(processId));
    }
}
