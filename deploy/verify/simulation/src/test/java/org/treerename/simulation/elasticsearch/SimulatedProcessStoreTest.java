package org.treerename.simulation.elasticsearch;

import org.treerename.process.ProcessStore;
import org.treerename.process.ProcessStoreContract;

class SimulatedProcessStoreTest extends ProcessStoreContract {

    private final Cluster cluster = new Cluster();
    private final SimulatedProcessStore processes = new SimulatedProcessStore(Wire.direct(cluster), cluster);

    @Override
    protected ProcessStore processes() {
        return processes;
    }
}
