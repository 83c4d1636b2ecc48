package org.treerename.metrics;

import java.util.List;

/** Every metric of the services, as {@code /metrics} shows it. */
public enum Metric {
    RENAMES(
            "tree.rename.renames",
            Kind.COUNTER,
            "renames that this process has ended, by their status and reason",
            "status",
            "reason"),
    DOCUMENTS(
            "tree.rename.documents",
            Kind.COUNTER,
            "documents whose move was answered: `moved`, `unknown` (changed meanwhile, or to be tried again) or `refused`",
            "result"),
    LOCK_REFUSALS("tree.rename.lock.refusals", Kind.COUNTER, "attempts that others' locks refused"),
    LOCK_WAIT("tree.rename.lock.wait", Kind.TIMER, "from the first attempt of a rename until it had all its locks"),
    RETRIES(
            "tree.rename.retries",
            Kind.COUNTER,
            "pauses before something was tried again: a request without an answer, the end of a rename that"
                    + " another process carries"),
    REQUESTS(
            "tree.rename.elasticsearch.requests",
            Kind.TIMER,
            "requests to Elasticsearch but heartbeats: the API, whether it was the control index's, and the HTTP status, or"
                    + " `none` where no answer came",
            "api",
            "control",
            "status"),
    GONE(
            "tree.rename.elasticsearch.gone",
            Kind.GAUGE,
            "1 while Elasticsearch is taken for gone and nothing but a probe is sent (the circuit breaker is open), else 0"),
    DEAD_LETTERS("tree.rename.dead.letters", Kind.COUNTER, "records that a worker has kept as dead letters", "reason"),
    PARKINGS("tree.rename.parkings", Kind.COUNTER, "how often a rename was parked, each try of a parked one counted"),
    TAKE_OVERS(
            "tree.rename.take.overs",
            Kind.COUNTER,
            "renames, and holds of writers, of processes that were not live, taken over in this state",
            "state"),
    FENCES("tree.rename.fences", Kind.COUNTER, "processes that this one has fenced"),
    HEARTBEAT_AGE(
            "tree.rename.heartbeat.age.seconds",
            Kind.GAUGE,
            "seconds since the sending of the last heartbeat that was acknowledged"),
    RUNNING("tree.rename.running", Kind.GAUGE, "a worker's requests that are carried now"),
    QUEUE(
            "tree.rename.queue.requests",
            Kind.GAUGE,
            "a worker's requests taken from a partition since the lowest that has not ended",
            "partition"),
    LAG(
            "tree.rename.lag.records",
            Kind.GAUGE,
            "records of a worker's partition whose requests have not ended, those not taken yet counted as Kafka's client told"
                    + " it last, which it does not while the partition is paused",
            "partition"),
    NOT_BEGUN(
            "tree.rename.not.begun.records",
            Kind.GAUGE,
            "the same without those that are carried now, or have ended: what more workers could begin, and what waits for others",
            "partition"),
    OPEN(
            "tree.rename.open",
            Kind.GAUGE,
            "renames, and holds of writers, in the journal that a process is to be at, when this janitor looked last"),
    PARKED("tree.rename.parked", Kind.GAUGE, "renames that are parked, when this janitor looked last"),
    OLDEST_WAITING(
            "tree.rename.oldest.waiting.seconds",
            Kind.GAUGE,
            "how long ago the log took the oldest request that has begun and is not decided, when this janitor looked last; 0 where"
                    + " there is none"),
    STALLED(
            "tree.rename.stalled",
            Kind.GAUGE,
            "open renames that have made no progress for 5 min while this janitor looked: nothing moved and no pass began, the"
                    + " end was not published, or it has waited for locks without an attempt (with a `--lock-wait` above 5 min)"),
    AUDIT_FINDINGS(
            "tree.rename.audit.findings",
            Kind.GAUGE,
            "what this janitor's last audit of locks, journal and processes found: leaks by their kind, and `parked`",
            "kind"),
    HTTP_REQUESTS(
            "tree.rename.http.requests",
            Kind.COUNTER,
            "requests that a gateway has answered, by their method (`other` but DELETE, GET and POST) and HTTP status",
            "method",
            "status"),
    HTTP_STREAMS("tree.rename.http.streams", Kind.GAUGE, "who follows a rename at this gateway now");

    enum Kind {
        COUNTER("counter", "_total"),
        GAUGE("gauge", ""),
        /** As Micrometer shows a timer to Prometheus: its count and sum, and its longest of late in a gauge. */
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

    /** With commas between them. */
    private final String labels;

    Metric(String name, Kind kind, String meaning, String... labels) {
        this.name = name;
        this.kind = kind;
        this.meaning = meaning;
        this.labels = String.join(",", labels);
    }

    /** In Micrometer's notation. */
    String meter() {
        return name;
    }

    String meaning() {
        return meaning;
    }

    public List<String> labels() {
        return labels.isEmpty() ? List.of() : List.of(labels.split(","));
    }

    /** As Prometheus knows it. */
    public String shown() {
        return name.replace('.', '_') + kind.suffix;
    }

    /** Of Prometheus' types. */
    public String type() {
        return kind.type;
    }

    /** Its row of the README's table. */
    public String row() {
        String in = labels.isEmpty() ? "" : " `" + labels.replace(",", "`, `") + "`";
        return "| `" + shown() + "` | " + type() + " |" + in + " | " + meaning + " |";
    }
}
