package org.treerename.janitor.console;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticPauseStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.elastic.ElasticTreeSurvey;
import org.treerename.http.Admission;
import org.treerename.http.Caller;
import org.treerename.http.Tokens;
import org.treerename.janitor.audit.Auditor;
import org.treerename.janitor.audit.TreeAudit;
import org.treerename.janitor.deadletter.KafkaDeadLetters;
import org.treerename.janitor.recovery.Abandonment;
import org.treerename.janitor.recovery.Fence;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.journal.Journal;
import org.treerename.journal.LockBooks;
import org.treerename.kafka.KafkaSender;
import org.treerename.observe.RequestTimes;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.LockSearch;
import org.treerename.overview.Overview;
import org.treerename.process.ProcessStore;
import org.treerename.process.WorkerPause;
import org.treerename.rename.Cancellation;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.Loop;
import org.treerename.runtime.Time;
import org.treerename.service.Host;
import org.treerename.service.ServiceSettings;
import org.treerename.store.Versioned;

/**
 * Serves the console of one janitor. The console remains open when the janitor continues under a new process id. The
 * console has its own connections to Elasticsearch, and does not use the connections of the janitor.
 */
public final class Console implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Console.class);
    private static final int CONNECTIONS = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration QUICK = Duration.ofMillis(100);
    private static final Duration SLOW = Duration.ofMillis(250);
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** The maximum number of paths or documents of a tree that one request reads. */
    private static final int PAGE = 1_000;

    /** Retries parked renames in the process of a janitor. */
    public interface Retry {

        /**
         * Begins to retry a rename. If the retry throws an exception, the future fails with this exception.
         *
         * @return the future of the result; empty if the janitor cannot begin now
         */
        Optional<Future<Result>> begin(String requestId);
    }

    private final Elastic elastic;
    private final QueryCache quick;
    private final QueryCache slow;
    private final ConsoleServer server;
    private final Loop reading;
    private final Loop readingSlowly;
    private final Loop auditing;
    private final Loop watching;

    private Console(ConsoleOptions options, Host host, Duration processRetention, Retry retry) {
        Time time = host.time();
        ServiceSettings settings = host.settings();
        Optional<Tokens> tokens = options.tokens();
        InetAddress address = options.address().getAddress();
        if (tokens.isEmpty() && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException("other machines can reach --console-host " + address.getHostAddress()
                    + ": --console-token-file is required");
        }
        Admission admission = Admission.of(address, tokens.map(Console::owners).orElse(null));
        elastic = connect(host);
        ControlIndex control = new ControlIndex(elastic);
        Journal journal = new ElasticJournal(control);
        ProcessStore processes = new ElasticProcessStore(control);
        ElasticNamespaces namespaces = new ElasticNamespaces(elastic, control);
        ElasticPauseStore pauses = new ElasticPauseStore(control);
        DeadLetterReader letters = letters(settings, time);
        Views.Sources sources = sources(control, journal, processes, namespaces, pauses, letters);
        quick = new QueryCache(time, new Views(sources, time));
        slow = new QueryCache(time, new Views(sources, time));
        LockBooks books = LockBooks.of(namespaces, journal, new ElasticLockStore(control));
        AuditJob audit = new AuditJob(
                () -> new Auditor(books, processes, time, processRetention)
                        .withTrees(new TreeAudit(new ElasticTreeSurvey(elastic, PAGE), journal, namespaces.all()))
                        .audit(),
                time);
        Api api = new Api(
                new Pages(settings.elasticsearch().installation()),
                new Api.Boards(quick, slow, audit),
                new LiveOperator(
                        new Fence(processes),
                        letters,
                        new Cancellation(journal, time, Backoff.Factory.jittered(time)),
                        new ParkedRetries(journal, retry, ParkedRetries.PATIENCE),
                        abandonment(elastic, journal, namespaces, time),
                        new WorkerPause(pauses, time)),
                admission);
        try {
            server = ConsoleServer.open(api, options.address(), options.tls(), time);
        } catch (RuntimeException e) {
            elastic.close();
            throw e;
        }
        reading = Loop.start("console", time, QUICK, quick::poll);
        readingSlowly = Loop.start("console-slow", time, SLOW, slow::poll);
        auditing = Loop.start("console-audit", time, SLOW, audit::poll);
        watching = Loop.start("console-tokens", time, SECOND, () -> tokens.ifPresent(Tokens::poll));
        log.info("the console is on {}", server.url());
    }

    private static Views.Sources sources(
            ControlIndex control,
            Journal journal,
            ProcessStore processes,
            ElasticNamespaces namespaces,
            ElasticPauseStore pauses,
            DeadLetterReader letters) {
        JournalSearch search = new ElasticJournalSearch(control);
        return new Views.Sources(
                search,
                new Overview(journal, search, new LockSearch(new ElasticLockStore(control)), processes),
                processes,
                namespaces,
                () -> pauses.read().map(Versioned::value),
                letters::all);
    }

    private static Abandonment abandonment(Elastic elastic, Journal journal, ElasticNamespaces namespaces, Time time) {
        return new Abandonment(
                journal,
                namespaces,
                new ElasticTreeStore(elastic, ElasticTreeStore.Limits.DEFAULT, namespaces::known),
                time,
                Backoff.Factory.jittered(time));
    }

    private static Elastic connect(Host host) {
        Elastic.Settings settings = host.settings().elasticsearch();
        return Elastic.connect(
                settings.withConnections(CONNECTIONS).withTimeout(TIMEOUT),
                new RequestTimes(host.observability().meters(), settings.installation(), host.time()));
    }

    private static DeadLetterReader letters(ServiceSettings settings, Time time) {
        return new DeadLetterReader(
                () -> KafkaDeadLetters.connect(settings.kafka(), TIMEOUT),
                () -> KafkaSender.connect(settings.kafka()),
                settings.kafka().installation().requests(),
                time);
    }

    private static Function<String, Optional<Caller>> owners(Tokens tokens) {
        return tokens::ownerOf;
    }

    /**
     * Opens the console.
     *
     * @param retry retries parked renames in the process of this janitor
     * @throws IllegalArgumentException if the options are invalid, or if the console cannot listen
     */
    public static Console open(ConsoleOptions options, Host host, Duration processRetention, Retry retry) {
        return new Console(options, host, processRetention, retry);
    }

    @Override
    public void close() {
        // the caches close before all resources, which wakes the waiting requests. The resources close in reverse
        // order. So the server closes next, and waits for these requests
        try (elastic;
                watching;
                auditing;
                readingSlowly;
                reading;
                server) {
            quick.close();
            slow.close();
        }
    }
}
