package org.treerename.service;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.DurationConverter;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.installation.Installation;
import org.treerename.namespace.NamespaceFile;
import org.treerename.process.Lease;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.tree.PacedTreeStore;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Declares the command line options that every service has, and creates the host from them. */
public final class ServiceOptions {

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private KafkaOptions kafka = new KafkaOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Option(
            names = "--elasticsearch-requests",
            defaultValue = "32",
            description = "The maximum number of concurrent requests to the control index, and to the indices of each"
                    + " namespace, 1 to 1000. Further requests wait for at most the time of --request-timeout.")
    private int elasticsearchRequests;

    @Option(
            names = "--documents-per-second",
            defaultValue = "0",
            description =
                    "The maximum number of documents per second that all renames of this process together may move. A"
                            + " bulk request has at most this number of documents. 0 means no limit. Without a limit, a"
                            + " long move runs at a quarter of its speed while other renames of this process begin.")
    private int documentsPerSecond;

    @Option(
            names = "--process-name",
            paramLabel = "NAME",
            description = "The beginning of the process ids: 1 to 63 characters of A-Z, a-z, 0-9, dots and hyphens,"
                    + " for example the name of a pod. A random part follows, so that each process id is unique."
                    + " Without this option, the ids begin with worker or janitor.")
    private @Nullable String processName;

    @Option(
            names = "--namespaces",
            paramLabel = "FILE",
            description =
                    "A YAML file with definitions of namespaces. The process reads new definitions without a restart.")
    private @Nullable Path namespaces;

    @Option(
            names = "--lease",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "How long a process may be silent before other processes treat it as dead. A process sends"
                    + " four heartbeats in this time. All workers and janitors must have the same value. A janitor"
                    + " checks all processes and open renames six times per lease.")
    private Duration lease = Duration.ZERO;

    @Option(
            names = "--page-size",
            defaultValue = "20000",
            description = "The largest number of documents in one bulk request, 1 to 100000. A bulk request also has at"
                    + " most about 400 kB of documents.")
    private int pageSize;

    @Option(
            names = "--max-passes",
            defaultValue = "10",
            description =
                    "The maximum number of passes of a move if other programs keep creating documents at the source."
                            + " The value must be at least 2.")
    private int maxPasses;

    @Option(
            names = "--shutdown-grace",
            defaultValue = "15s",
            converter = DurationConverter.class,
            description = "How long a process may take to stop. For the first four fifths of this time, it continues"
                    + " the work that it has begun.")
    private Duration shutdownGrace = Duration.ZERO;

    @Option(
            names = "--log-format",
            defaultValue = "text",
            description = "The format of the log: text or ecs. The format ecs is JSON with the fields of the Elastic"
                    + " Common Schema.")
    private LogFormat logFormat = LogFormat.TEXT;

    @Mixin
    private HttpOptions http = new HttpOptions();

    /** This check precedes all other work of the process. */
    private static @Nullable Path checked(@Nullable Path file) {
        if (file != null) {
            var unused = NamespaceFile.read(file);
        }
        return file;
    }

    /**
     * Creates the host with the settings of these options. This method also opens the HTTP server that shows metrics
     * and health. The caller must close the host.
     *
     * @throws IllegalArgumentException if an option is missing or invalid
     */
    public Host host(Instrumentation instrumentation) {
        logFormat.begin();
        Installation own = installation.installation();
        ServiceSettings settings = new ServiceSettings(
                processName,
                kafka.settings(own),
                elasticsearch.settings(own).withConnections(elasticsearchRequests),
                documentsPerSecond,
                new Lease(lease),
                ElasticTreeStore.Limits.DEFAULT.withDocuments(PacedTreeStore.page(pageSize, documentsPerSecond)),
                maxPasses,
                checked(namespaces),
                shutdownGrace);
        Time time = instrumentation.time(new SystemTime());
        return new Host(settings, instrumentation, time, Observability.open(http.address(), own));
    }
}
