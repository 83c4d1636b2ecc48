package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.http.ServerTls;

class ConsoleTlsTest {

    private static final char[] PASSWORD = "a-password".toCharArray();
    private static final String ALIAS = "console";

    @TempDir
    private Path folder;

    @Test
    void a_browser_that_trusts_the_certificate_reads_the_page() throws Exception {
        KeyStore store = keyStore();
        Path certificate =
                pem("console.crt", "CERTIFICATE", store.getCertificate(ALIAS).getEncoded());
        Path key =
                pem("console.key", "PRIVATE KEY", store.getKey(ALIAS, PASSWORD).getEncoded());

        try (OpenConsole console = new OpenConsole(true, ServerTls.of("--console", certificate, key, null, List.of()));
                HttpClient trusting =
                        HttpClient.newBuilder().sslContext(trusting(store)).build()) {
            assertThat(console.at("/console/").getScheme()).isEqualTo("https");
            HttpResponse<String> page = trusting.send(console.to("/console/").build(), BodyHandlers.ofString());
            assertThat(page.statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> console.get("/console/")).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void requires_the_certificate_and_the_key_together() {
        assertThatThrownBy(() -> ServerTls.of("--console", folder, null, null, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "--console-tls-certificate-file and --console-tls-key-file must be given together");
    }

    private KeyStore keyStore() throws Exception {
        Path file = folder.resolve("console.p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1"))
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    private Path pem(String file, String type, byte[] encoded) throws IOException {
        String text = Base64.getMimeEncoder().encodeToString(encoded);
        return Files.writeString(
                folder.resolve(file), "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    }

    private static SSLContext trusting(KeyStore store) throws Exception {
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        authorities.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
