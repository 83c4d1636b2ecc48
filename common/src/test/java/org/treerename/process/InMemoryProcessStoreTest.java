package org.treerename.process;

import org.treerename.store.InMemoryControlIndex;

class InMemoryProcessStoreTest extends ProcessStoreContract {

    private final InMemoryProcessStore processes = new InMemoryProcessStore(new InMemoryControlIndex());

    @Override
    protected ProcessStore processes() {
        return processes;
    }
}
