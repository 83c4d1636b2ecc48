package org.treerename.http;

import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import io.helidon.common.tls.TlsClientAuth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates the TLS settings of a server from PEM files. */
public final class ServerTls {

    private final Tls tls;
    private final Set<String> clientNames;

    private ServerTls(Tls tls, Collection<String> clientNames) {
        this.tls = tls;
        this.clientNames = Set.copyOf(clientNames);
    }

    /**
     * Reads the certificate, the private key and the authority for client certificates from files.
     *
     * @param option the beginning of the names of the options, for example {@code --http}
     * @param clientCaFile the certificate of the authority for client certificates. With this file, the server requires
     *     a client certificate. Null if the server requires no client certificate
     * @param clientNames the common names of the client certificates that the server accepts; empty if the server
     *     accepts each certificate of the authority
     * @return the TLS settings; null if no file is given
     * @throws IllegalArgumentException if a file is missing or cannot be used
     */
    public static @Nullable ServerTls of(
            String option,
            @Nullable Path certificateFile,
            @Nullable Path keyFile,
            @Nullable Path clientCaFile,
            Collection<String> clientNames) {
        if (clientCaFile == null && !clientNames.isEmpty()) {
            throw new IllegalArgumentException(option + "-client-names requires " + option + "-client-ca-file");
        }
        if (certificateFile == null || keyFile == null) {
            if (certificateFile != null || keyFile != null || clientCaFile != null) {
                throw new IllegalArgumentException(option + "-tls-certificate-file and " + option
                        + "-tls-key-file must be given together, and " + option
                        + "-client-ca-file requires these two options");
            }
            return null;
        }
        Resource certificate = readable(option + "-tls-certificate-file", certificateFile);
        Resource key = readable(option + "-tls-key-file", keyFile);
        Resource clientCa = clientCaFile == null ? null : readable(option + "-client-ca-file", clientCaFile);
        try {
            Keys own = Keys.builder()
                    .pem(pem -> pem.key(key).certChain(certificate))
                    .build();
            var tls = Tls.builder().privateKey(own).privateKeyCertChain(own);
            if (clientCa != null) {
                tls.clientAuth(TlsClientAuth.REQUIRED)
                        .trust(Keys.builder()
                                .pem(pem -> pem.certificates(clientCa))
                                .build());
            }
            return new ServerTls(tls.build(), clientNames);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "the files of " + option + "-tls-… or " + option + "-client-ca-file cannot be used: "
                            + e.getMessage(),
                    e);
        }
    }

    Tls tls() {
        return tls;
    }

    /**
     * Returns whether the server accepts a client.
     *
     * @param name the common name of the client certificate; empty if there is none
     */
    boolean admits(Optional<String> name) {
        return clientNames.isEmpty() || name.filter(clientNames::contains).isPresent();
    }

    private static Resource readable(String option, Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("cannot read the file of " + option + ": " + file);
        }
        return Resource.create(file);
    }
}
