package org.treerename.checker;

import java.time.Instant;
import java.util.Map;

/**
 * The documents that one view of a tree showed to a reader.
 *
 * @param asked a time before the reader opened the view, by the clock of the workers
 * @param opened a time after the end of the call that opened the view
 * @param path the path of the view; the view showed all documents at and below this path
 * @param shown the path of each document, by {@link TreeDocument#id}
 */
public record SeenView(Instant asked, Instant opened, String path, Map<String, String> shown) {
    public SeenView {
        shown = Map.copyOf(shown);
    }
}
