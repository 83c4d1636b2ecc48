package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.MoveRates;
import org.treerename.overview.ProgressWatch;
import org.treerename.runtime.Time;

/**
 * Reads the renames in progress through a gateway, and computes how fast their documents move. Only one thread calls
 * this class.
 */
final class GatewayWatch {

    /** The largest number of requests that a gateway returns in one page. */
    private static final int PAGE = 100;

    private final Requests requests;
    private final Requests.Filter filter;
    private final int limit;
    private final Time time;
    private final MoveRates rates = new MoveRates();

    GatewayWatch(Requests requests, @Nullable String namespace, int limit, Time time) {
        this.requests = requests;
        this.filter = new Requests.Filter(ProgressWatch.UNDER_WAY, namespace, null);
        this.limit = limit;
        this.time = time;
    }

    /**
     * Returns the renames in progress, the oldest request first. If more than {@value JournalSearch#LARGEST_PAGE}
     * renames are in progress, the oldest renames may be missing, because a gateway lists the latest requests first.
     */
    List<ObjectNode> read() {
        List<ObjectNode> found = new ArrayList<>();
        String next = null;
        do {
            Requests.Page page = requests.list(filter, next, PAGE);
            found.addAll(page.requests());
            next = page.next();
        } while (next != null && found.size() < JournalSearch.LARGEST_PAGE);
        Collections.reverse(found);
        List<ObjectNode> shown = found.subList(0, Math.min(limit, found.size()));
        Map<String, Long> moved = new HashMap<>();
        shown.forEach(rename -> moved.put(id(rename), rename.path("moved").asLong()));
        Map<String, OptionalDouble> perSecond = rates.read(moved, time.nanos());
        shown.forEach(rename -> addRate(rename, perSecond.getOrDefault(id(rename), OptionalDouble.empty())));
        return List.copyOf(shown);
    }

    private static String id(ObjectNode rename) {
        return rename.path("request_id").asText();
    }

    private static void addRate(ObjectNode rename, OptionalDouble rate) {
        long rest = Math.max(
                0, rename.path("expected").asLong() - rename.path("moved").asLong());
        rename.put("documents_per_second", rate.isEmpty() ? null : (Double) rate.getAsDouble());
        rename.put("seconds_left", rate.isEmpty() ? null : (Double) (rest / rate.getAsDouble()));
    }
}
