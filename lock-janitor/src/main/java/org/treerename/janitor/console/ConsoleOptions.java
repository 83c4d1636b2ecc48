package org.treerename.janitor.console;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.http.ServerTls;
import org.treerename.http.Tokens;
import picocli.CommandLine.Option;

/** The options of the console: its address, its TLS files and its tokens. */
public final class ConsoleOptions {

    private static final int LARGEST_PORT = 65_535;

    @Option(
            names = "--console",
            defaultValue = "true",
            fallbackValue = "true",
            arity = "0..1",
            paramLabel = "true|false",
            description = "Whether the janitor serves the console, a web page for operators.")
    private boolean isWanted;

    @Option(
            names = "--console-host",
            defaultValue = "127.0.0.1",
            description =
                    "The address of the console. If other machines can reach this address, --console-token-file is"
                            + " required.")
    private String host = "";

    @Option(
            names = "--console-port",
            defaultValue = "0",
            description = "The port of the console, up to 65535. 0 selects a free port. The log contains the selected"
                    + " port.")
    private int port;

    @Option(
            names = "--console-token-file",
            paramLabel = "FILE",
            description = "The file with the tokens of the console, one name:token:rights per line. A person with the"
                    + " right operate may execute the actions of the console. Without this file, the console only shows"
                    + " data.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--console-tls-certificate-file",
            paramLabel = "FILE",
            description = "The PEM file with the certificate chain of the console. The janitor reads this file only at"
                    + " the start.")
    private @Nullable Path certificateFile;

    @Option(
            names = "--console-tls-key-file",
            paramLabel = "FILE",
            description = "The PEM file with the private key of the certificate of the console (PKCS#8).")
    private @Nullable Path keyFile;

    @Option(
            names = "--console-client-ca-file",
            paramLabel = "FILE",
            description = "The PEM file with the certificate of the authority (CA) that signs client certificates. With"
                    + " this file, the console refuses browsers without a certificate that this authority has signed.")
    private @Nullable Path clientCaFile;

    @Option(
            names = "--console-client-names",
            split = ",",
            paramLabel = "NAME",
            description = "The common names of the client certificates that the console accepts, separated by commas."
                    + " Without this option, it accepts every certificate that the authority has signed, so this"
                    + " authority should sign for no other clients.")
    private List<String> clientNames = List.of();

    public boolean isWanted() {
        return isWanted;
    }

    InetSocketAddress address() {
        if (port < 0 || port > LARGEST_PORT) {
            throw new IllegalArgumentException("--console-port must be 0 to " + LARGEST_PORT + ", was " + port);
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "--console-host must be an address or a resolvable name of this machine, was " + host);
        }
        return address;
    }

    /**
     * Returns the TLS settings of the console; null for no TLS.
     *
     * @throws IllegalArgumentException if a file is missing or cannot be used
     */
    @Nullable
    ServerTls tls() {
        return ServerTls.of("--console", certificateFile, keyFile, clientCaFile, clientNames);
    }

    /**
     * Returns the tokens in the token file; empty if no token file is set.
     *
     * @throws IllegalArgumentException if the file contains no token, or cannot be read
     */
    Optional<Tokens> tokens() {
        return Optional.ofNullable(tokenFile).map(Tokens::of);
    }
}
