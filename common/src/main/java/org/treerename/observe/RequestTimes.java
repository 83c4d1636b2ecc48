package org.treerename.observe;

import java.time.Duration;
import java.util.Arrays;
import org.treerename.elastic.Elastic;
import org.treerename.installation.Installation;
import org.treerename.runtime.Time;

/**
 * Measures the time of each request to Elasticsearch. The labels of the metric are the API, the status, and whether the
 * request uses the control index.
 */
public record RequestTimes(Meters meters, Installation installation, Time time) implements Elastic.Observer {

    private static final String OTHER = "index";

    @Override
    public Elastic.Sent sending(String request) {
        String path = request.substring(request.indexOf(' ') + 1).replaceFirst("\\?.*", "");
        String control = String.valueOf(path.startsWith("/" + installation.controlIndex()));
        long begunNanos = time.nanos();
        return status -> meters.time(
                Metric.REQUESTS,
                Duration.ofNanos(time.nanos() - begunNanos),
                api(path),
                control,
                status == Elastic.NO_ANSWER ? Meters.NONE : String.valueOf(status));
    }

    /**
     * Returns the name of the API: the first path segment with a leading underscore, without this underscore. The name
     * of an index has no leading underscore.
     */
    static String api(String path) {
        return Arrays.stream(path.split("/", -1))
                .filter(segment -> segment.startsWith("_"))
                .map(segment -> segment.substring(1))
                .findFirst()
                .orElse(OTHER);
    }
}
