package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.process.ProcessStoreContract;
import org.treerename.store.RefusedException;
import org.treerename.store.WriteResult;

class ElasticProcessStoreIT extends ProcessStoreContract {

    private final ElasticProcessStore processes = new ElasticProcessStore(RealElastic.CONTROL);

    @Override
    protected ProcessStore processes() {
        return processes;
    }

    @Test
    void refuses_a_damaged_document() {
        ProcessId id = new ProcessId("damaged-" + UUID.randomUUID());
        ObjectNode json = Json.object()
                .put("kind", "process")
                .put("process_id", id.text())
                .put("state", "odd");
        var written = (WriteResult.Written) RealElastic.CONTROL.create("process:" + id.text(), json);
        try {
            assertThatThrownBy(() -> processes.read(List.of(id)))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("the document of the process " + id.text() + " is damaged");
        } finally {
            RealElastic.CONTROL.delete("process:" + id.text(), written.version());
        }
    }
}
