package org.treerename.producer.cli;

import java.util.List;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.Sent;
import org.treerename.request.ParsedRequest.RenameRequest;

/** Sends the lines of a batch in their order, to Kafka or to a gateway. Only one thread calls an instance. */
interface BatchSender extends AutoCloseable {

    /**
     * Sends a request. After a request that is not acknowledged, the sender sends no later request.
     *
     * @param listener is called at least when the rename is parked
     */
    Sent submit(RenameRequest request, List<String> after, ProgressListener listener);

    @Override
    void close();
}
