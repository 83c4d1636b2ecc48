package org.treerename.stack;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The settings of one Elasticsearch node. An instance is immutable: every {@code with} method returns a changed copy.
 *
 * @param folder the folder of the node's data, configuration and logs. The folder is created if necessary, and is not
 *     deleted when the node stops
 * @param clusterName the value of {@code cluster.name}
 * @param heap the size of the heap, as for {@code -Xmx}
 * @param settings further lines of {@code elasticsearch.yml}; they override the lines that {@link ElasticsearchServer}
 *     writes
 * @param jvmOptions the JVM options except the heap; a garbage collector in this list replaces the default collector
 * @param files further configuration files: the text of each file by its name, for example {@code users} if security is
 *     on
 */
public record ElasticsearchSettings(
        Path folder,
        String clusterName,
        String heap,
        List<String> jvmOptions,
        Map<String, String> settings,
        Map<String, String> files) {

    static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final String AUTHORITY = "http-ca.pem";

    public ElasticsearchSettings {
        folder = folder.toAbsolutePath();
        jvmOptions = List.copyOf(jvmOptions);
        settings = Map.copyOf(settings);
        files = Map.copyOf(files);
    }

    public static ElasticsearchSettings in(Path folder) {
        return new ElasticsearchSettings(folder, "local", "1g", List.of(), Map.of(), Map.of());
    }

    public ElasticsearchSettings withClusterName(String name) {
        return new ElasticsearchSettings(folder, name, heap, jvmOptions, settings, files);
    }

    public ElasticsearchSettings withHeap(String size) {
        return new ElasticsearchSettings(folder, clusterName, size, jvmOptions, settings, files);
    }

    /**
     * Returns settings for a server that runs only for minutes, for example in tests. The JVM uses only the C1 compiler
     * and the serial collector. So the start needs half as much processor time as with the default options.
     */
    public ElasticsearchSettings shortLived() {
        return new ElasticsearchSettings(folder, clusterName, heap, SHORT_LIVED, settings, files);
    }

    public ElasticsearchSettings withSettings(Map<String, String> others) {
        return new ElasticsearchSettings(folder, clusterName, heap, jvmOptions, others, files);
    }

    /** Returns a copy of the settings with https for the node. All three texts are in PEM format. */
    public ElasticsearchSettings withTls(String certificate, String key, String authority) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("xpack.security.http.ssl.enabled", "true");
        all.put("xpack.security.http.ssl.certificate", "http.crt");
        all.put("xpack.security.http.ssl.key", "http.key");
        all.put("xpack.security.http.ssl.certificate_authorities", AUTHORITY);
        Map<String, String> texts = new HashMap<>(files);
        texts.putAll(Map.of("http.crt", certificate, "http.key", key, AUTHORITY, authority));
        return new ElasticsearchSettings(folder, clusterName, heap, jvmOptions, all, texts);
    }

    boolean isOverTls() {
        return files.containsKey(AUTHORITY);
    }

    /** Returns an HTTP client for this node, which trusts the certificate authority of these settings. */
    HttpClient client() {
        return isOverTls()
                ? HttpClient.newBuilder()
                        .sslContext(trusting(files.getOrDefault(AUTHORITY, "")))
                        .build()
                : HttpClient.newHttpClient();
    }

    private static SSLContext trusting(String authority) {
        try (InputStream in = new ByteArrayInputStream(authority.getBytes(StandardCharsets.US_ASCII))) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "expected the certificate of a certificate authority in the PEM format: " + e.getMessage(), e);
        }
    }

    public ElasticsearchSettings withFiles(Map<String, String> others) {
        return new ElasticsearchSettings(folder, clusterName, heap, jvmOptions, settings, others);
    }
}
