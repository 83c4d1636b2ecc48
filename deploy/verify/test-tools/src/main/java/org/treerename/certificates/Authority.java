package org.treerename.certificates;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A certificate authority for tests. The authority signs certificates with the keytool of the running Java, and stores
 * all files in one folder.
 */
public final class Authority {

    private static final char[] PASSWORD = "of-tests".toCharArray();
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private final Path folder;

    /**
     * A signed certificate with its key.
     *
     * @param certificate the file of the certificate in PEM
     * @param key the file of the private key in PEM, PKCS#8
     * @param store the file of a PKCS#12 store with the key, the certificate, and the certificate of the authority
     */
    public record Signed(Path certificate, Path key, Path store) {

        /** Returns the password of {@link #store}. */
        public char[] password() {
            return PASSWORD.clone();
        }

        /** Returns one PEM text with the key and the certificate. */
        public String both() {
            try {
                return Files.readString(key) + Files.readString(certificate);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Authority(Path folder) {
        this.folder = folder;
    }

    /** Creates an authority with a new key. The authority stores its files in the given folder. */
    public static Authority in(Path folder) {
        try {
            Authority authority = new Authority(Files.createDirectories(folder));
            authority.keytool("ca", "-genkeypair", "-keyalg", "EC", "-dname", "CN=authority of tests", "-ext", "bc:c");
            authority.keytool(
                    "ca",
                    "-exportcert",
                    "-rfc",
                    "-file",
                    authority.certificate().toString());
            return authority;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the PEM file that contains the authority's own certificate. */
    public Path certificate() {
        return folder.resolve("ca.pem");
    }

    /**
     * Creates a certificate that both a server and a client can use.
     *
     * @param name the base name of the files, and the common name of the certificate
     * @param hosts the subject alternative names in keytool's notation, for example {@code ip:127.0.0.1}
     */
    public Signed sign(String name, String hosts) {
        Path request = folder.resolve(name + ".csr");
        Path certificate = folder.resolve(name + ".crt");
        Path key = folder.resolve(name + ".key");
        keytool(name, "-genkeypair", "-keyalg", "EC", "-dname", "CN=" + name);
        keytool(name, "-certreq", "-file", request.toString());
        keytool(
                "ca",
                "-gencert",
                "-rfc",
                "-infile",
                request.toString(),
                "-outfile",
                certificate.toString(),
                "-ext",
                "san=" + hosts,
                "-ext",
                "eku=serverAuth,clientAuth");
        keytoolOf("ca", name, "-importcert", "-noprompt", "-file", certificate().toString());
        keytool(name, "-importcert", "-file", certificate.toString());
        Path store = store(name);
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD);
            String encoded = LINES.encodeToString(keys.getKey(name, PASSWORD).getEncoded());
            Files.writeString(key, "-----BEGIN PRIVATE KEY-----\n" + encoded + "\n-----END PRIVATE KEY-----\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return new Signed(certificate, key, store);
    }

    private Path store(String name) {
        return folder.resolve(name + ".p12");
    }

    private void keytool(String name, String... arguments) {
        keytoolOf(name, name, arguments);
    }

    private void keytoolOf(String alias, String store, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", alias, "-keystore", store(store).toString()));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", new String(PASSWORD)));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(
                        "keytool failed with the arguments " + List.of(arguments) + ": " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
