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
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * How one Elasticsearch node is to run: a value, every method gives a changed copy.
 *
 * @param folder holds its data, configuration and logs; made when it is not there, kept at the end
 * @param clusterName {@code cluster.name}
 * @param heap as for {@code -Xmx}
 * @param httpPort a fixed port on 127.0.0.1; empty: a free one
 * @param settings for {@code elasticsearch.yml}; they win over the ones that {@link ElasticsearchServer} sets
 * @param jvmOptions on top of its heap; a collector that is named here replaces the usual one
 * @param files further files of its configuration, their text by their name; {@code users}, say, where security is on
 */
public record ElasticsearchSettings(
        Path folder,
        String clusterName,
        String heap,
        OptionalInt httpPort,
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
        return new ElasticsearchSettings(folder, "local", "1g", OptionalInt.empty(), List.of(), Map.of(), Map.of());
    }

    public ElasticsearchSettings withClusterName(String name) {
        return new ElasticsearchSettings(folder, name, heap, httpPort, jvmOptions, settings, files);
    }

    public ElasticsearchSettings withHeap(String size) {
        return new ElasticsearchSettings(folder, clusterName, size, httpPort, jvmOptions, settings, files);
    }

    /** For a server that runs for minutes, as in tests: the first compiler and the serial collector start it in half the processor time. */
    public ElasticsearchSettings shortLived() {
        return new ElasticsearchSettings(folder, clusterName, heap, httpPort, SHORT_LIVED, settings, files);
    }

    public ElasticsearchSettings withHttpPort(int port) {
        return new ElasticsearchSettings(folder, clusterName, heap, OptionalInt.of(port), jvmOptions, settings, files);
    }

    public ElasticsearchSettings withSettings(Map<String, String> others) {
        return new ElasticsearchSettings(folder, clusterName, heap, httpPort, jvmOptions, others, files);
    }

    /** Over https, besides what its settings and files are. All are PEM. */
    public ElasticsearchSettings withTls(String certificate, String key, String authority) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("xpack.security.http.ssl.enabled", "true");
        all.put("xpack.security.http.ssl.certificate", "http.crt");
        all.put("xpack.security.http.ssl.key", "http.key");
        all.put("xpack.security.http.ssl.certificate_authorities", AUTHORITY);
        Map<String, String> texts = new HashMap<>(files);
        texts.putAll(Map.of("http.crt", certificate, "http.key", key, AUTHORITY, authority));
        return new ElasticsearchSettings(folder, clusterName, heap, httpPort, jvmOptions, all, texts);
    }

    boolean isOverTls() {
        return files.containsKey(AUTHORITY);
    }

    /** One that may ask the node whether it is there. */
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
            throw new IllegalArgumentException("no certificate of an authority: " + e.getMessage(), e);
        }
    }

    public ElasticsearchSettings withFiles(Map<String, String> others) {
        return new ElasticsearchSettings(folder, clusterName, heap, httpPort, jvmOptions, settings, others);
    }
}
