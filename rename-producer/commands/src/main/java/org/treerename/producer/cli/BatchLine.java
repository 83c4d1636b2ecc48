package org.treerename.producer.cli;

import java.util.List;
import org.treerename.request.ParsedRequest.RenameRequest;

/** A line of a batch: a request or a bad line. */
sealed interface BatchLine {

    /** Returns the number of the line, counted from 1. */
    long number();

    /**
     * A request.
     *
     * @param after the ids of the requests that must end before this request begins
     */
    record Request(long number, RenameRequest request, List<String> after) implements BatchLine {
        public Request {
            after = List.copyOf(after);
        }
    }

    /** A line that contains no request, and the problem. */
    record Bad(long number, String problem) implements BatchLine {}
}
