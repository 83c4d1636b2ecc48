package org.treerename.observe;

import java.time.Duration;
import java.util.Arrays;
import org.treerename.elastic.Elastic;
import org.treerename.installation.Installation;
import org.treerename.runtime.Time;

/** Measures the time of every request to Elasticsearch, by its API, its use of the control index, and its status. */
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
     * Returns the name of the API: the first segment of the path that begins with an underscore. No index name begins
     * with an underscore.
     */
    static String api(String path) {
        return Arrays.stream(path.split("/", -1))
                .filter(segment -> segment.startsWith("_"))
                .map(segment -> segment.substring(1))
                .findFirst()
                .orElse(OTHER);
    }
}
