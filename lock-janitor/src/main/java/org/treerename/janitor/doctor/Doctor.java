package org.treerename.janitor.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeCheck;
import org.treerename.elastic.IndexSurvey;
import org.treerename.elastic.PathMapping;
import org.treerename.elastic.ServerProbe;
import org.treerename.elastic.ServerProbe.Clock;
import org.treerename.elastic.ServerProbe.Seen;
import org.treerename.installation.Installation;
import org.treerename.janitor.process.ProcessWatch;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.TreeProblem;
import org.treerename.runtime.Time;

/** Examines Elasticsearch, Kafka and this machine. This class changes nothing. Only one thread calls this class. */
public final class Doctor {

    /** Several connections are necessary to detect that several nodes answer at one address. */
    private static final int CONNECTIONS = 5;

    private static final int LEAST_JAVA = 21;

    private static final String CONTROL = "control index";
    private static final String PRIVILEGES = "elasticsearch privileges";

    private final Installation names;
    private final Time time;
    private final Examination examination = new Examination();

    /** @param names the names of the topics and indices of the examined installation */
    public Doctor(Installation names, Time time) {
        this.names = names;
        this.time = time;
    }

    /** Returns the findings so far. */
    public Examination examination() {
        return examination;
    }

    /** Checks whether the Java version of this machine is supported. */
    public void examineJava(Runtime.Version version) {
        examination.add(
                "java",
                () -> List.of(
                        version.feature() < LEAST_JAVA
                                ? Finding.error(
                                        "java",
                                        "Java " + version + " is too old",
                                        "use Java " + LEAST_JAVA + " or newer")
                                : Finding.ok("java", "Java " + version + " on this machine is supported")));
    }

    /**
     * Examines the addresses, the version, the clocks, the privileges, the control index and the namespaces of
     * Elasticsearch.
     *
     * @param wanted the definitions in the file of the caller; if empty, only the stored definitions are examined
     */
    public void examineElasticsearch(Elastic.Settings settings, List<Namespace> wanted) {
        try (Elastic elastic = Elastic.connect(settings)) {
            ServerProbe probe = new ServerProbe(settings, elastic);
            long failed = examination.count(Finding.Level.ERROR);
            List<Seen> seen = new ArrayList<>();
            for (URI url : settings.urls()) {
                examination.add(ElasticsearchFindings.ADDRESS, () -> {
                    List<Seen> answers = new ArrayList<>();
                    for (int i = 0; i < CONNECTIONS; i++) {
                        answers.add(probe.at(url));
                    }
                    seen.addAll(answers);
                    return List.of(ElasticsearchFindings.address(url, answers));
                });
            }
            if (seen.isEmpty() && examination.count(Finding.Level.ERROR) > failed) {
                // no address answers, so the remaining checks would fail as well
                return;
            }
            ControlIndex control = new ControlIndex(elastic);
            examination.add(ElasticsearchFindings.VERSION, () -> versions(probe, seen, wanted));
            examination.add(ElasticsearchFindings.CLOCK, () -> {
                Instant before = time.now();
                List<Clock> clocks = probe.clocks();
                return ElasticsearchFindings.clocks(clocks, before, time.now());
            });
            examination.add(PRIVILEGES, () -> privileges(probe));
            examination.add(CONTROL, () -> control(control, probe));
            examination.add(ProcessFindings.SUBJECT, () -> processes(control));
            Map<String, Namespace> namespaces = new LinkedHashMap<>();
            wanted.forEach(namespace -> namespaces.put(namespace.name(), namespace));
            examination.add("namespaces", () -> stored(control, elastic, namespaces));
            namespaces
                    .values()
                    .forEach(namespace ->
                            examination.add(subject(namespace), () -> namespace(namespace, elastic, probe)));
        }
    }

    private static String subject(Namespace namespace) {
        return "namespace " + namespace.name();
    }

    private List<Finding> versions(ServerProbe probe, List<Seen> seen, List<Namespace> wanted) {
        Set<String> versions = new TreeSet<>();
        seen.forEach(answer -> answer.node().ifPresent(node -> versions.add(node.version())));
        Optional<JsonNode> root = probe.root();
        root.ifPresent(
                answer -> versions.add(answer.path("version").path("number").asText()));
        if (versions.isEmpty()) {
            // without the cluster privilege monitor, this process can still read the versions of the nodes that have
            // shards of an index
            wanted.forEach(namespace -> versions.addAll(probe.versions(namespace.index())));
        }
        if (versions.isEmpty()) {
            versions.addAll(probe.versions(names.controlIndex()));
        }
        JsonNode version = root.map(answer -> answer.path("version")).orElse(null);
        List<Finding> refused = version == null
                ? List.of()
                : ElasticsearchFindings.kind(
                        version.path("build_flavor").asText(""),
                        version.path("distribution").asText(""));
        return refused.isEmpty() ? List.of(ElasticsearchFindings.versions(versions)) : refused;
    }

    private List<Finding> privileges(ServerProbe probe) {
        if (!probe.isSecured()) {
            return List.of(Finding.warning(
                    PRIVILEGES,
                    "the security of Elasticsearch is off: every client in the network can change the documents"
                            + " and the locks",
                    "set xpack.security.enabled to true, and give the services the role in the documentation"
                            + " (the page about security)"));
        }
        Optional<TreeProblem> missing = probe.missingOnControlIndex();
        return List.of(missing.map(problem -> Finding.error(
                        PRIVILEGES, problem.what() + ", so workers, janitors and gateways cannot work", problem.mend()))
                .orElseGet(() -> Finding.ok(
                        PRIVILEGES,
                        "the user of this command has the privileges on " + names.controlIndex()
                                + " that workers, janitors and gateways need. The services need no cluster"
                                + " privilege")));
    }

    private List<Finding> control(ControlIndex control, ServerProbe probe) {
        if (!control.isThere()) {
            return List.of(Finding.ok(
                    CONTROL, "the index " + names.controlIndex() + " does not exist yet; the first worker creates it"));
        }
        List<Finding> findings = new ArrayList<>();
        control.unusable().ifPresent(problem -> findings.add(Finding.error(CONTROL, problem.what(), problem.mend())));
        probe.copies(names.controlIndex())
                .ifPresent(copies -> findings.add(ElasticsearchFindings.copies(CONTROL, names.controlIndex(), copies)));
        return findings;
    }

    private List<Finding> processes(ControlIndex control) {
        return control.isThere() && control.unusable().isEmpty()
                ? ProcessFindings.of(
                        new ProcessWatch(new ElasticProcessStore(control), new ElasticJournalSearch(control), time))
                : List.of();
    }

    /** Adds the stored definitions to the map, and reports each definition in the map that differs. */
    private static List<Finding> stored(ControlIndex control, Elastic elastic, Map<String, Namespace> namespaces) {
        List<Finding> findings = new ArrayList<>();
        if (control.isThere() && control.unusable().isEmpty()) {
            for (Namespace stored : new ElasticNamespaces(elastic, control).all()) {
                Namespace wanted = namespaces.putIfAbsent(stored.name(), stored);
                if (wanted != null && !wanted.equals(stored)) {
                    findings.add(Finding.error(
                            subject(stored),
                            "the definition in the file differs from the stored definition, so a process with this file"
                                    + " does not start",
                            "correct the file: rename-admin namespaces show prints the stored definition. Or stop all"
                                    + " workers, janitors and writers, and run rename-admin namespaces define FILE"
                                    + " --replace"));
                }
            }
        }
        if (namespaces.isEmpty()) {
            findings.add(Finding.warning(
                    "namespaces",
                    "no namespace is defined, so every request is rejected",
                    "run rename-admin init INDEX, and then this command with --namespaces FILE"));
        }
        return findings;
    }

    private static List<Finding> namespace(Namespace namespace, Elastic elastic, ServerProbe probe) {
        String subject = subject(namespace);
        List<Finding> findings = new ArrayList<>();
        List<TreeProblem> problems = new ElasticTreeCheck(elastic).problems(namespace);
        problems.forEach(problem -> findings.add(
                problem.mayPass()
                        ? Finding.warning(subject, problem.what() + ", so processes wait", problem.mend())
                        : Finding.error(subject, problem.what() + ", so processes do not start", problem.mend())));
        Optional<ServerProbe.Copies> copies = problems.isEmpty() ? probe.copies(namespace.index()) : Optional.empty();
        if (copies.isEmpty()) {
            return findings;
        }
        IndexSurvey survey = new IndexSurvey(elastic);
        for (String searched : namespace.fields().searched()) {
            String field = searched.equals(namespace.fields().keyword()) ? namespace.pathField() : searched;
            long hidden = survey.count(namespace.index(), PathMapping.hidden(field, searched));
            long all = survey.count(namespace.index(), PathMapping.notFound(searched));
            if (hidden > 0) {
                findings.add(Finding.error(
                        subject,
                        of(hidden, namespace) + " a text in the field " + field + " that searches do not find."
                                + " Renames move only documents that searches find",
                        "run rename-admin init " + namespace.index() + " --path-field=" + namespace.pathField()
                                + ", which prints the requests that repair the index"));
            }
            if (all > hidden) {
                findings.add(Finding.warning(
                        subject,
                        of(all - hidden, namespace) + " no value in the field " + searched
                                + ". No rename moves a document without this field",
                        "add the field to each document that belongs to the tree"));
            }
            if (survey.surplus(namespace.index(), searched) > 0) {
                findings.add(Finding.warning(
                        subject,
                        "some documents of " + namespace.index() + " have several texts in the field " + searched
                                + ". A rename of such a document, or of a directory above it, is rejected",
                        "run rename-admin check " + namespace.name()
                                + ", which lists these documents, and correct the documents or the definition"));
            }
        }
        Finding copiesFound = ElasticsearchFindings.copies(subject, namespace.index(), copies.get());
        if (findings.isEmpty()) {
            findings.add(Finding.ok(
                    subject, "the index " + namespace.index() + " is suitable; searches find all its documents"));
        }
        findings.add(copiesFound);
        return findings;
    }

    private static String of(long documents, Namespace namespace) {
        return documents == 1
                ? "1 document of " + namespace.index() + " has"
                : documents + " documents of " + namespace.index() + " have";
    }

    /**
     * Examines the version of Kafka, the group protocol and the topics.
     *
     * @param isClassic whether the workers use the classic group protocol
     */
    public void examineKafka(Admin admin, boolean isClassic) {
        KafkaProbe kafka = new KafkaProbe(admin);
        List<Integer> brokers = new ArrayList<>();
        examination.add(KafkaFindings.VERSION, () -> {
            brokers.addAll(kafka.brokers());
            return List.of(KafkaFindings.version(kafka.features()));
        });
        if (brokers.isEmpty()) {
            return;
        }
        examination.add(
                KafkaFindings.PROTOCOL,
                () -> List.of(KafkaFindings.protocol(kafka.features(), kafka.broker(brokers.getFirst()), isClassic)));
        KafkaFindings judgement = new KafkaFindings(names);
        for (String name : List.of(names.requests(), names.outcomes(), names.deadLetters(), names.progress())) {
            examination.add("topic " + name, () -> {
                Optional<TopicState> topic = kafka.topic(name);
                List<Finding> findings = new ArrayList<>(judgement.topic(name, topic, brokers.size()));
                if (name.equals(names.requests())) {
                    topic.ifPresent(requests -> findings.addAll(judgement.clock(kafka.latest(requests), time.now())));
                }
                return findings;
            });
        }
    }
}
