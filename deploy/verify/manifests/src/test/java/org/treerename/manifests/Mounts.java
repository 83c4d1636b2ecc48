package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;

/** Writes the mounted files of a container into a folder that replaces /etc/tree-rename. */
final class Mounts {

    private static final String ETC = "/etc/tree-rename";
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** The value that the tests use for each key of a Secret. */
    private final Map<String, String> secrets;

    private final Path folder;

    /** Creates a key pair in the folder of the mounted files. */
    Mounts(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        this.folder = folder;
        Path store = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=own",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        String.valueOf(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed to create a key pair");
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        String certificate = pem("CERTIFICATE", keys.getCertificate("own").getEncoded());
        this.secrets = Map.of(
                "ca.crt",
                certificate,
                "tls.crt",
                certificate,
                "tls.key",
                pem("PRIVATE KEY", keys.getKey("own", PASSWORD).getEncoded()),
                "password",
                "secret",
                "tokens",
                "me:0123456789abcdef0123456789abcdef:rename\n",
                "page.keys",
                "0123456789abcdef0123456789abcdef\n",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"me\" password=\"x\";");
    }

    private static String pem(String label, byte[] bytes) {
        String text = Base64.getMimeEncoder().encodeToString(bytes);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }

    /** Returns a text from the manifests with the folder in place of /etc/tree-rename. */
    String moved(String text) {
        return text.replace(ETC, folder.toString());
    }

    /** Writes the files of all volumes that the container mounts below /etc/tree-rename. */
    void write(Manifest deployment, Manifests built) throws IOException {
        for (JsonNode mount : deployment.container().path("volumeMounts")) {
            Path at = Path.of(moved(mount.path("mountPath").asText()));
            for (JsonNode volume : deployment.list("/spec/template/spec/volumes")) {
                if (volume.path("name").equals(mount.path("name")) && at.startsWith(folder)) {
                    Files.createDirectories(at);
                    Stream<JsonNode> sources = volume.has("projected")
                            ? volume.at("/projected/sources").valueStream()
                            : Stream.of(volume);
                    for (JsonNode source : sources.toList()) {
                        write(at, source, built);
                    }
                }
            }
        }
    }

    private void write(Path at, JsonNode source, Manifests built) throws IOException {
        for (JsonNode item : source.path("secret").path("items")) {
            String secret = secrets.get(item.path("key").asText());
            Files.writeString(at.resolve(item.path("path").asText()), String.valueOf(secret));
        }
        if (source.has("configMap")) {
            JsonNode data = built.find("ConfigMap", source.at("/configMap/name").asText())
                    .orElseThrow()
                    .at("/data");
            for (Map.Entry<String, JsonNode> file : data.properties()) {
                Files.writeString(
                        at.resolve(file.getKey()), moved(file.getValue().asText()));
            }
        }
    }
}
