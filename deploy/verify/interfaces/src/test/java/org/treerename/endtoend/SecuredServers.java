package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.treerename.certificates.Authority;
import org.treerename.certificates.Authority.Signed;
import org.treerename.stack.ElasticsearchServer;
import org.treerename.stack.ElasticsearchSettings;
import org.treerename.stack.KafkaServer;
import org.treerename.stack.KafkaSettings;

/** An Elasticsearch and a Kafka with TLS and authentication. One authority has signed both certificates. */
final class SecuredServers implements AutoCloseable {

    /** The password of the Elasticsearch user root. */
    private static final String PASSWORD = "secret-of-tests";

    /** The hash of {@link #PASSWORD}. */
    private static final String BCRYPT = "$2a$10$abcdefghijklmnopqrstuuyw9nlECdCEytqhiX91ZT5AKO.nsQYh6";

    private static final String ADMIN = "admin";

    private final Path folder;
    private final Authority authority;
    private final Map<String, String> passwords;
    private final ElasticsearchServer elasticsearch;
    private final KafkaServer kafka;

    private SecuredServers(
            Path folder,
            Authority authority,
            Map<String, String> passwords,
            ElasticsearchServer elasticsearch,
            KafkaServer kafka) {
        this.folder = folder;
        this.authority = authority;
        this.passwords = passwords;
        this.elasticsearch = elasticsearch;
        this.kafka = kafka;
    }

    /**
     * Starts both servers.
     *
     * @param users the users of Kafka with their passwords; these users have no rights yet
     */
    static SecuredServers start(Path folder, Map<String, String> users) throws IOException {
        Authority authority = Authority.in(folder.resolve("authority"));
        Signed server = authority.sign("server", "ip:127.0.0.1,dns:localhost");
        Map<String, String> passwords = new TreeMap<>(users);
        passwords.put(ADMIN, "of-admin");
        Path own = Files.writeString(folder.resolve("server.pem"), server.both());
        ElasticsearchServer elasticsearch =
                ElasticsearchServer.start(ElasticsearchSettings.in(folder.resolve("elasticsearch"))
                        .withHeap("512m")
                        .shortLived()
                        .withSettings(Map.of(
                                "xpack.license.self_generated.type", "trial",
                                "xpack.security.enabled", "true",
                                "xpack.security.transport.ssl.enabled", "false"))
                        .withFiles(Map.of("users", "root:" + BCRYPT + "\n", "users_roles", "superuser:root\n"))
                        .withTls(
                                Files.readString(server.certificate()),
                                Files.readString(server.key()),
                                Files.readString(authority.certificate())));
        try {
            KafkaServer kafka = KafkaServer.start(KafkaSettings.in(folder.resolve("kafka"))
                    .shortLived()
                    .withHeap("384m")
                    .withSettings(broker(own, authority.certificate(), passwords))
                    .withClient(client(authority.certificate(), ADMIN, "of-admin")));
            return new SecuredServers(folder, authority, passwords, elasticsearch, kafka);
        } catch (RuntimeException e) {
            elasticsearch.close();
            throw e;
        }
    }

    private static Map<String, String> broker(Path identity, Path authority, Map<String, String> passwords) {
        String users = passwords.entrySet().stream()
                .map(user -> " user_" + user.getKey() + "=\"" + user.getValue() + "\"")
                .collect(Collectors.joining());
        return Map.ofEntries(
                Map.entry("listener.security.protocol.map", "CLIENTS:SASL_SSL,CONTROLLER:PLAINTEXT"),
                Map.entry("sasl.enabled.mechanisms", "PLAIN"),
                Map.entry("sasl.mechanism.inter.broker.protocol", "PLAIN"),
                Map.entry(
                        "listener.name.clients.plain.sasl.jaas.config", jaas(ADMIN, password(passwords, ADMIN), users)),
                Map.entry("ssl.keystore.type", "PEM"),
                Map.entry("ssl.keystore.location", identity.toString()),
                // the broker verifies its own certificate, as its clients do
                Map.entry("ssl.truststore.type", "PEM"),
                Map.entry("ssl.truststore.location", authority.toString()),
                Map.entry("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
                Map.entry("super.users", "User:" + ADMIN + ";User:ANONYMOUS"),
                Map.entry("log.retention.check.interval.ms", "3600000"),
                Map.entry("group.consumer.session.timeout.ms", "6000"),
                Map.entry("group.consumer.min.session.timeout.ms", "1000"),
                Map.entry("group.consumer.heartbeat.interval.ms", "1000"),
                Map.entry("group.consumer.min.heartbeat.interval.ms", "500"));
    }

    private static String password(Map<String, String> passwords, String user) {
        return Optional.ofNullable(passwords.get(user)).orElseThrow();
    }

    private static String jaas(String user, String password, String more) {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user + "\" password=\""
                + password + "\"" + more + ";";
    }

    private static Map<String, String> client(Path authority, String user, String password) {
        return Map.of(
                "security.protocol", "SASL_SSL",
                "sasl.mechanism", "PLAIN",
                "sasl.jaas.config", jaas(user, password, ""),
                "ssl.truststore.type", "PEM",
                "ssl.truststore.location", authority.toString());
    }

    /** Returns a client that authenticates as a user with all rights. */
    Elasticsearch root() throws IOException, GeneralSecurityException {
        return Elasticsearch.at(elasticsearch.url()).as("root", PASSWORD).over(trustingContext());
    }

    private SSLContext trustingContext() throws IOException, GeneralSecurityException {
        Signed any = authority.sign("root", "dns:root");
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(any.store())) {
            store.load(in, any.password());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    String elasticsearchUrl() {
        return elasticsearch.url();
    }

    /** Returns the options with the address of Elasticsearch and the authority's certificate. */
    List<String> elasticsearchOptions() {
        return List.of(
                "--elasticsearch-url=" + elasticsearch.url(), "--elasticsearch-ca-file=" + authority.certificate());
    }

    /** Returns the certificate of the authority that signed the certificates of both servers. */
    Path authority() {
        return authority.certificate();
    }

    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    /** Returns the settings of a Kafka client with all rights. */
    Map<String, Object> admin() {
        Map<String, Object> all = new HashMap<>(client(authority.certificate(), ADMIN, password(passwords, ADMIN)));
        all.put("bootstrap.servers", kafka.bootstrapServers());
        return all;
    }

    /** Returns the options with the address of Kafka and the login of this user. */
    List<String> kafkaOptions(String user) throws IOException {
        return kafkaOptions(user, password(passwords, user), authority.certificate());
    }

    /**
     * Returns the options with the address of Kafka and the login of this user. The client trusts the authority whose
     * certificate is in {@code trusted}.
     */
    List<String> kafkaOptions(String user, String password, Path trusted) throws IOException {
        Properties properties = new Properties();
        properties.putAll(client(trusted, user, password));
        Path file = Files.createTempFile(folder, "kafka-", ".properties");
        try (var out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        }
        return List.of("--kafka-bootstrap-servers=" + kafka.bootstrapServers(), "--kafka-config=" + file);
    }

    /**
     * Returns the options with the addresses of both servers and the logins of a program.
     *
     * @param kafkaUser the user in Kafka
     * @param user the user in Elasticsearch
     * @param password the file with the password of the user in Elasticsearch
     */
    List<String> options(String kafkaUser, String user, Path password) throws IOException {
        List<String> all = new ArrayList<>(elasticsearchOptions());
        all.addAll(List.of("--elasticsearch-user=" + user, "--elasticsearch-password-file=" + password));
        all.addAll(kafkaOptions(kafkaUser));
        return all;
    }

    /** Creates a user of Elasticsearch with this role. Returns the file with the user's password. */
    Path user(Elasticsearch root, String name, String password, String role) throws IOException {
        assertThat(root.put("/_security/role/" + name, role).has("role"))
                .as("%s", role)
                .isTrue();
        assertThat(root.put(
                                "/_security/user/" + name,
                                "{\"password\":\"" + password + "\",\"roles\":[\"" + name + "\"]}")
                        .has("created"))
                .isTrue();
        return Files.writeString(folder.resolve(name + ".password"), password + "\n");
    }

    @Override
    public void close() {
        kafka.close();
        elasticsearch.close();
    }
}
