package org.treerename.checker;

import java.time.Instant;
import java.util.Map;

/**
 * What a reader was shown of a tree by one view.
 *
 * @param asked before the view was opened, by the clock of the workers
 * @param answered after its last answer
 * @param path of which it showed all documents at and below
 * @param shown the path of each document, by {@link TreeDocument#id}
 */
public record SeenView(Instant asked, Instant answered, String path, Map<String, String> shown) {
    public SeenView {
        shown = Map.copyOf(shown);
    }
}
