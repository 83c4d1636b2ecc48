package org.treerename.janitor.admin;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.Output;
import org.treerename.elastic.Elastic;
import org.treerename.installation.Installation;
import org.treerename.janitor.doctor.Doctor;
import org.treerename.janitor.doctor.Examination;
import org.treerename.janitor.doctor.Finding.Level;
import org.treerename.janitor.doctor.FindingsReport;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.NamespaceFile;
import org.treerename.runtime.Time;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import org.treerename.service.KafkaOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code rename-admin doctor}: reports whether the services can use the servers and this machine. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = {
            "Examines Elasticsearch, Kafka and this machine, and reports whether workers, janitors and gateways can"
                    + " use them. The command examines versions, addresses, privileges, topics, replicas, the control"
                    + " index, clocks, and the index of each namespace. It changes nothing.",
            "Run the command with the users and the addresses of the services. A user with the cluster privilege"
                    + " monitor of Elasticsearch can examine more."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no error",
            "1:at least one error",
            "2:wrong use",
            "3:Elasticsearch or Kafka did not answer. The command still prints the findings that it has",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class DoctorCommand implements Callable<Integer> {

    /** The protocol that the consumer group of the workers uses. */
    enum Protocol {
        CONSUMER,
        CLASSIC
    }

    private final Time time;

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--namespaces",
            paramLabel = "FILE",
            description = "The file with definitions that are not stored yet (default: only the stored definitions).")
    private @Nullable Path file;

    @Option(
            names = "--group-protocol",
            defaultValue = "consumer",
            paramLabel = "PROTOCOL",
            description = "The group protocol of the workers: consumer or classic (default: ${DEFAULT-VALUE}).")
    private Protocol protocol = Protocol.CONSUMER;

    @Mixin
    private Output output = new Output();

    DoctorCommand(Time time) {
        this.time = time;
    }

    @Override
    public Integer call() {
        Installation names = installation.installation();
        Elastic.Settings servers = elasticsearch.settings(names);
        KafkaClientSettings brokers = kafka.settings(names);
        List<Namespace> wanted = file == null ? List.of() : NamespaceFile.read(file);
        Doctor doctor = new Doctor(names, time);
        doctor.examineJava(Runtime.version());
        doctor.examineElasticsearch(servers, wanted);
        try (Admin admin = brokers.client(timeouts(servers), Admin::create)) {
            doctor.examineKafka(admin, protocol == Protocol.CLASSIC);
        }
        Examination examination = doctor.examination();
        FindingsReport.print(examination, output);
        if (examination.isUnanswered()) {
            return ExitCodes.NO_ANSWER;
        }
        return examination.count(Level.ERROR) == 0 ? ExitCodes.WELL : ExitCodes.NOT_WELL;
    }

    private static Map<String, Object> timeouts(Elastic.Settings servers) {
        int millis = (int) servers.timeout().toMillis();
        return Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                millis,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                millis);
    }
}
