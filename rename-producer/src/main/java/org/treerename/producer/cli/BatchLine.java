package org.treerename.producer.cli;

import java.util.List;
import org.treerename.rename.ParsedRequest.RenameRequest;

/** What a line of a batch turned out to be. */
sealed interface BatchLine {

    /** Counted from 1. */
    long number();

    /**
     * A request.
     *
     * @param after the ids of others that it is to come after
     */
    record Request(long number, RenameRequest request, List<String> after) implements BatchLine {
        public Request {
            after = List.copyOf(after);
        }
    }

    /** No request, and why. */
    record Bad(long number, String problem) implements BatchLine {}
}
