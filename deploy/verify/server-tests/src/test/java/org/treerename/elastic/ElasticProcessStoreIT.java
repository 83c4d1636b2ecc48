package org.treerename.elastic;

import org.treerename.process.ProcessStore;
import org.treerename.process.ProcessStoreContract;

class ElasticProcessStoreIT extends ProcessStoreContract {

    private final ElasticProcessStore processes = new ElasticProcessStore(RealElastic.CONTROL);

    @Override
    protected ProcessStore processes() {
        return processes;
    }
}
