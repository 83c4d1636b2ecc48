package org.treerename.process;

import org.treerename.store.InMemoryControlIndex;

class InMemoryPauseStoreTest extends PauseStoreContract {

    private final InMemoryPauseStore pauses = new InMemoryPauseStore(new InMemoryControlIndex());

    @Override
    protected PauseStore pauses() {
        return pauses;
    }
}
