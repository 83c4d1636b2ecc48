package org.treerename.producer.http;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.treerename.cli.ExitCode;
import org.treerename.http.ManagementServer;
import org.treerename.installation.Installation;
import org.treerename.namespace.Namespace;
import org.treerename.observe.Meters;
import org.treerename.producer.CannotConnectException;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.cli.ProducerOptions;
import org.treerename.runtime.Health;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import org.treerename.service.LogFormat;
import org.treerename.service.ServerChecks;
import org.treerename.service.ServiceCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reads the settings, connects to Kafka and Elasticsearch, and runs one gateway. */
@Command(
        name = "rename-gateway",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "2:wrong use; or, at the start, a server rejects the login, does not grant a right, or is too old",
            "3:Kafka does not answer at the start, or a server refuses a request",
            "70:a defect in this program",
            "130:ended by SIGINT",
            "143:ended by SIGTERM"
        },
        description = {
            "Accepts renames over HTTP and reports their progress.",
            "Each option can also be set as an environment variable or in a configuration file. For example,"
                    + " --http-port is TREE_RENAME_HTTP_PORT in the environment. KAFKA_BOOTSTRAP_SERVERS"
                    + " and ELASTICSEARCH_URL do not begin with TREE_RENAME_. --config names the configuration file."
        })
public final class Main implements Callable<Integer> {

    private static final String LOGGING = "logback.configurationFile";

    /**
     * The longest time that the gateway may take to stop. In this time, streams and requests in progress end, and Kafka
     * acknowledges the last requests.
     */
    public static final Duration GRACE = Duration.ofSeconds(12);

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ProducerOptions kafka = new ProducerOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private GatewayOptions http = new GatewayOptions();

    @Option(
            names = "--group-id",
            paramLabel = "NAME",
            description = "The consumer group of the workers. Without this option, the group is rename-workers,"
                    + " or PREFIX.rename-workers with a prefix. The gateway reads the committed offsets of this group"
                    + " to find the requests that wait.")
    private @Nullable String groupId;

    @Option(
            names = "--management-host",
            defaultValue = "127.0.0.1",
            description = "The address of /metrics, /health/live and /health/ready.")
    private String managementHost = "";

    @Option(
            names = "--management-port",
            defaultValue = "0",
            description =
                    "The port of /metrics, /health/live and /health/ready. 0 selects a free port. The log contains"
                            + " the selected port.")
    private int managementPort;

    @Option(
            names = "--log-format",
            defaultValue = "text",
            description = "The format of the log: text or ecs. The format ecs is JSON with the fields of the Elastic"
                    + " Common Schema.")
    private LogFormat logFormat = LogFormat.TEXT;

    public static void main(String[] args) {
        if (System.getProperty(LOGGING) == null) {
            System.setProperty(LOGGING, "org/treerename/service/logback.xml");
        }
        System.exit(ServiceCommand.run(command(), args));
    }

    static CommandLine command() {
        return ServiceCommand.of(new Main());
    }

    /** Runs the gateway until a signal requests it to stop. */
    @Override
    public Integer call() throws InterruptedException {
        logFormat.begin();
        Installation own = installation.installation();
        ProducerSettings settings = kafka.settings(own);
        var access = http.access();
        var limits = http.limits();
        PageKeys pageKeys = http.pageKeys();
        int searches = http.searches();
        Time time = new SystemTime();
        Health health = new Health();
        Stopping stopping = Stopping.begin(GRACE);
        try (stopping;
                Meters meters = new Meters(own);
                ManagementServer server = management(meters, health);
                ElasticRenames elastic = ElasticRenames.connect(elasticsearch.settings(own), time);
                KafkaRequests producing = KafkaRequests.connect(settings, time);
                KafkaWaitingRequests waiting = KafkaWaitingRequests.connect(
                        kafka.clients(own), groupId == null ? own.workers() : groupId, time)) {
            elastic.checkVersion();
            ServerChecks.startInBackground(elasticsearch.settings(own), kafka.clients(own));
            health.readyIf("elasticsearch", elastic::problem);
            health.readyIf("kafka", producing::problem);
            health.readyIf("stopping", stopping::problem);
            Api api = new Api(
                    producing,
                    elastic.renames(),
                    new Body(inFile(settings), elastic.trees()::namespace),
                    settings.deliveryTimeout(),
                    new TreeApi(elastic.trees(), pageKeys, searches),
                    waiting);
            try (Gateway gateway = Gateway.open(
                    access,
                    limits,
                    api,
                    new Streams(elastic.renames(), limits.streams(), limits.streamsPerCaller()),
                    new Gateway.Surroundings(meters, time))) {
                health.readyIf("connections", gateway::problem);
                if (access.tokens() != null) {
                    health.readyIf("tokens", access.tokens()::problem);
                }
                health.begun();
                stopping.await();
            }
        } catch (CannotConnectException e) {
            Objects.requireNonNull(spec).commandLine().getErr().println("rename-gateway: " + e.getMessage());
            return ExitCode.NO_ANSWER.code();
        }
        return CommandLine.ExitCode.OK;
    }

    /** The server answers before the gateway has connected to Kafka and Elasticsearch. */
    private ManagementServer management(Meters meters, Health health) {
        ManagementServer server = ManagementServer.open(managementAddress(), meters::shown, health);
        LoggerFactory.getLogger(Main.class).info("metrics and health are on {}", server.url());
        return server;
    }

    private InetSocketAddress managementAddress() {
        InetSocketAddress address = new InetSocketAddress(managementHost, managementPort);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "--management-host must be an address of this machine, was " + managementHost);
        }
        return address;
    }

    private static Map<String, Namespace> inFile(ProducerSettings settings) {
        return settings.namespaces().stream().collect(Collectors.toMap(Namespace::name, Function.identity()));
    }
}
