package org.treerename.worker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.process.Heartbeat;
import org.treerename.process.Heartbeat.Standing;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Carrier;
import org.treerename.runtime.Loop;

/**
 * The life of one worker process: its document is there before it takes a request, its heartbeat moves until the last
 * request has ended, and then the document says that it has stopped.
 */
final class Worker {

    private static final Logger log = LoggerFactory.getLogger(Worker.class);
    private static final int FENCED = 3;

    private final RequestLoop requests;
    private final ProcessStore processes;
    private final ProcessDocument document;
    private final Carrier carrier;
    private final WorkerSettings settings;

    Worker(
            RequestLoop requests,
            ProcessStore processes,
            ProcessDocument document,
            Carrier carrier,
            WorkerSettings settings) {
        this.requests = requests;
        this.processes = processes;
        this.document = document;
        this.carrier = carrier;
        this.settings = settings;
    }

    /** Runs until it is asked to stop, by a signal to the process. */
    int run() {
        Heartbeat heartbeat = carrier.persist("the process document", () -> Heartbeat.begin(processes, document));
        CountDownLatch ended = new CountDownLatch(1);
        Thread stopping = new Thread(() -> stop(ended), "stopping");
        Runtime.getRuntime().addShutdownHook(stopping);
        try {
            takeRequests(heartbeat);
            heartbeat.stop();
            log.info("{} has stopped", document.id());
            return 0;
        } finally {
            ended.countDown();
        }
    }

    /** The heartbeat stops last. */
    private void takeRequests(Heartbeat heartbeat) {
        try (Loop beating =
                Loop.start("heartbeat", carrier.time(), settings.lease().heartbeatEvery(), () -> beat(heartbeat))) {
            log.info("{} is live and takes requests", document.id());
            requests.run();
        }
    }

    /** Who is fenced changes nothing any more: the process ends at once. */
    private static void beat(Heartbeat heartbeat) {
        if (heartbeat.beat() == Standing.FENCED) {
            Runtime.getRuntime().halt(FENCED);
        }
    }

    private void stop(CountDownLatch ended) {
        carrier.stop().request();
        try {
            if (!ended.await(settings.shutdownGrace().toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("{} stops with a rename under way; the journal says where it stands", document.id());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
