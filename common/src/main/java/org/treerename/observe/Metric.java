package org.treerename.observe;

import java.util.List;

/** The metrics that the services publish at {@code /metrics}. */
public enum Metric {
    RENAMES(
            "tree.rename.renames",
            Kind.COUNTER,
            "renames that this process has finished, by status and reason",
            "status",
            "reason"),
    DOCUMENTS(
            "tree.rename.documents",
            Kind.COUNTER,
            "documents by the result of their move: `moved`, `unknown` (the document has changed since it was read, or"
                    + " the move must be repeated) or `refused`",
            "result"),
    LOCK_REFUSALS(
            "tree.rename.lock.refusals",
            Kind.COUNTER,
            "lock attempts that were refused because of the locks of other requests"),
    LOCK_WAIT(
            "tree.rename.lock.wait",
            Kind.TIMER,
            "time from the first lock attempt of a rename until the rename had all its locks"),
    RETRIES(
            "tree.rename.retries",
            Kind.COUNTER,
            "pauses before a retry: after a request without an answer, or while another process finishes a rename"),
    REQUESTS(
            "tree.rename.elasticsearch.requests",
            Kind.TIMER,
            "requests to Elasticsearch, except heartbeats, by API, by use of the control index, and by HTTP status"
                    + " (`none` without an answer)",
            "api",
            "control",
            "status"),
    GONE(
            "tree.rename.elasticsearch.gone",
            Kind.GAUGE,
            "1 while Elasticsearch is unavailable and only a probe is sent (the circuit breaker is open), otherwise 0"),
    DEAD_LETTERS(
            "tree.rename.dead.letters",
            Kind.COUNTER,
            "records that a worker has written to the dead letters",
            "reason"),
    PARKINGS(
            "tree.rename.parkings",
            Kind.COUNTER,
            "the number of times that a rename was parked; each retry that parks the rename again is counted"),
    TAKE_OVERS(
            "tree.rename.take.overs",
            Kind.COUNTER,
            "renames and holds of writers that were taken over from processes that were not live, by the state of"
                    + " the journal entry",
            "state"),
    FENCES("tree.rename.fences", Kind.COUNTER, "processes that this process has fenced"),
    HEARTBEAT_AGE(
            "tree.rename.heartbeat.age.seconds", Kind.GAUGE, "seconds since the last acknowledged heartbeat was sent"),
    RUNNING("tree.rename.running", Kind.GAUGE, "requests that this worker processes now"),
    QUEUE(
            "tree.rename.queue.requests",
            Kind.GAUGE,
            "requests that this worker has received from a partition, beginning with the first request that has not"
                    + " ended",
            "partition"),
    LAG(
            "tree.rename.lag.records",
            Kind.GAUGE,
            "the consumer lag of a partition of this worker plus `tree_rename_queue_requests`; the consumer lag is not"
                    + " updated while the partition is paused",
            "partition"),
    NOT_BEGUN(
            "tree.rename.not.begun.records",
            Kind.GAUGE,
            "requests of a partition of this worker that have not begun, including the consumer lag. Some of these"
                    + " requests wait for other requests; more workers could begin the others",
            "partition"),
    OPEN(
            "tree.rename.open",
            Kind.GAUGE,
            "journal entries (renames and holds of writers) that need a process, when this janitor last read the"
                    + " journal"),
    PARKED("tree.rename.parked", Kind.GAUGE, "parked renames, when this janitor last read the journal"),
    OLDEST_WAITING(
            "tree.rename.oldest.waiting.seconds",
            Kind.GAUGE,
            "the age of the oldest request that has begun and is not decided, counted from the time stamp of its"
                    + " record. The value is 0 if this janitor's last read of the journal found no such request"),
    STALLED(
            "tree.rename.stalled",
            Kind.GAUGE,
            "open renames that made no progress for 5 minutes while this janitor observed them. There are three"
                    + " cases: no document moved and no pass began; the outcome was not published; or the rename"
                    + " waited for locks without an attempt (possible if `--lock-wait` is above 5 minutes)"),
    AUDIT_FINDINGS(
            "tree.rename.audit.findings",
            Kind.GAUGE,
            "findings of this janitor's last audit of locks, journal and processes, by kind: each kind of leak, or"
                    + " `parked` for parked renames",
            "kind"),
    HTTP_REQUESTS(
            "tree.rename.http.requests",
            Kind.COUNTER,
            "requests that a gateway has answered, by method (DELETE, GET, POST, or `other`) and HTTP status",
            "method",
            "status"),
    HTTP_STREAMS("tree.rename.http.streams", Kind.GAUGE, "clients that follow a rename at this gateway now");

    enum Kind {
        COUNTER("counter", "_total"),
        GAUGE("gauge", ""),
        /** A timer. Micrometer exports its count and its sum to Prometheus, and its recent maximum as a gauge. */
        TIMER("summary", "_seconds");

        private final String type;
        private final String suffix;

        Kind(String type, String suffix) {
            this.type = type;
            this.suffix = suffix;
        }
    }

    private final String name;
    private final Kind kind;
    private final String meaning;

    /** The names of the labels, separated by commas. */
    private final String labels;

    Metric(String name, Kind kind, String meaning, String... labels) {
        this.name = name;
        this.kind = kind;
        this.meaning = meaning;
        this.labels = String.join(",", labels);
    }

    /** Returns the name in Micrometer's notation. */
    String meter() {
        return name;
    }

    String meaning() {
        return meaning;
    }

    public List<String> labels() {
        return labels.isEmpty() ? List.of() : List.of(labels.split(","));
    }

    /** Returns the name in Prometheus' notation. */
    public String shown() {
        return name.replace('.', '_') + kind.suffix;
    }

    /** Returns the type in Prometheus' terms. */
    public String type() {
        return kind.type;
    }

    /** Returns the row of this metric in the table of the monitoring page. */
    public String row() {
        String in = labels.isEmpty() ? "" : " `" + labels.replace(",", "`, `") + "`";
        return "| `" + shown() + "` | " + type() + " |" + in + " | " + meaning + " |";
    }
}
