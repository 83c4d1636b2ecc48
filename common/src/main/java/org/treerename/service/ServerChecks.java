package org.treerename.service;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.NodeAddress;
import org.treerename.elastic.ServerProbe;
import org.treerename.elastic.ServerProbe.Seen;
import org.treerename.elastic.VersionSupport;
import org.treerename.elastic.VersionSupport.Level;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.kafka.KafkaVersion;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Checks Elasticsearch and Kafka when a service starts. The versions of both must be supported. Each address of
 * Elasticsearch must lead to only one node. Logs each problem in one sentence. A service does not start if it cannot
 * work with the version of Elasticsearch.
 */
public final class ServerChecks {

    private static final Logger log = LoggerFactory.getLogger(ServerChecks.class);

    /** A load balancer chooses a node for each connection, so one connection does not detect a load balancer. */
    private static final int CONNECTIONS = 3;

    private ServerChecks() {}

    /**
     * Checks the version of Elasticsearch.
     *
     * @return whether this process may read the version; if not, the version was not checked
     * @throws IllegalArgumentException if the services cannot work with this version
     * @throws NoAnswerException if Elasticsearch does not answer
     */
    public static boolean checkVersion(Elastic elastic) {
        Set<String> versions = elastic.readVersions();
        if (versions.isEmpty()) {
            log.debug("this process lacks the right to read the version of Elasticsearch; the version is not checked");
            return false;
        }
        VersionSupport support = VersionSupport.of(versions);
        if (support.level() == Level.REFUSED) {
            throw new IllegalArgumentException(support.sentence());
        }
        if (support.level() == Level.UNTESTED) {
            log.warn("{}", support.sentence());
        }
        return true;
    }

    /**
     * Checks the addresses of Elasticsearch and the version of Kafka in a separate thread. The service does not wait
     * for the results.
     */
    public static void startInBackground(Elastic.Settings elasticsearch, KafkaClientSettings kafka) {
        Thread.ofVirtual().name("server-checks").start(() -> {
            elasticsearch.urls().forEach(url -> checkAddress(url, elasticsearch));
            checkKafka(kafka, elasticsearch.timeout());
        });
    }

    private static void checkAddress(URI url, Elastic.Settings settings) {
        try (Elastic elastic = Elastic.connect(settings)) {
            ServerProbe probe = new ServerProbe(settings, elastic);
            List<Seen> answers = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                answers.add(probe.at(url));
            }
            NodeAddress.problem(url, answers).ifPresent(problem -> log.warn("{}", problem.sentence()));
        } catch (NoAnswerException | RefusedException e) {
            log.debug("cannot check whether {} leads to one node: {}", url, e.getMessage());
        }
    }

    private static void checkKafka(KafkaClientSettings settings, Duration timeout) {
        try {
            KafkaVersion version = KafkaVersion.read(settings, timeout);
            if (!version.isSupported()) {
                log.warn("{}", version.sentence());
            }
        } catch (NoAnswerException | RefusedException e) {
            log.debug("cannot check the version of Kafka: {}", e.getMessage());
        }
    }
}
