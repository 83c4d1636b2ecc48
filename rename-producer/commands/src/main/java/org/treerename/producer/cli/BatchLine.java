package org.treerename.producer.cli;

import java.util.List;
import org.treerename.request.ParsedRequest.RenameRequest;

/** A line of a batch: a valid request, or a bad line, which contains no valid request. */
sealed interface BatchLine {

    /** Returns the number of the line, counted from 1. */
    long number();

    /**
     * A line that contains a valid request.
     *
     * @param after the ids of the requests that must end before this request begins
     */
    record Request(long number, RenameRequest request, List<String> after) implements BatchLine {
        public Request {
            after = List.copyOf(after);
        }
    }

    /** A line that contains no valid request, with the reason. */
    record Bad(long number, String problem) implements BatchLine {}
}
