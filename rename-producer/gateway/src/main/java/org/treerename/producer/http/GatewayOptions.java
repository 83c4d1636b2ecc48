package org.treerename.producer.http;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.http.ServerTls;
import org.treerename.http.Tokens;
import org.treerename.producer.http.Gateway.Access;
import org.treerename.producer.http.Gateway.Limits;
import picocli.CommandLine.Option;

/** The options for the address, the access control and the limits of the gateway. */
final class GatewayOptions {

    private static final int MAX_PORT = 65_535;

    /** Without an option, one address or one caller may have this part of the whole. */
    private static final int PARTS = 4;

    @Option(names = "--http-host", defaultValue = "127.0.0.1", description = "The address of the API.")
    private String host = "";

    @Option(
            names = "--http-port",
            defaultValue = "0",
            description = "The port of the API. 0 selects a free port. The log contains the selected port.")
    private int port;

    @Option(
            names = "--http-token-file",
            paramLabel = "FILE",
            description = "The file with the accepted bearer tokens, one name:token:rights per line. The gateway reads"
                    + " a changed file without a restart.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--http-page-key-file",
            paramLabel = "FILE",
            description = "The file with the keys that sign the positions of pages, one key of at least 32 characters"
                    + " per line. The first key signs; all keys are accepted. Several gateways behind one address need"
                    + " the same keys. Without this option, each gateway creates a random key when it starts.")
    private @Nullable Path pageKeyFile;

    @Option(
            names = "--http-tls-certificate-file",
            paramLabel = "FILE",
            description = "The PEM file with the certificate chain of the server. The gateway reads this file only at"
                    + " the start.")
    private @Nullable Path certificateFile;

    @Option(
            names = "--http-tls-key-file",
            paramLabel = "FILE",
            description = "The PEM file with the private key of the server certificate (PKCS#8).")
    private @Nullable Path keyFile;

    @Option(
            names = "--http-client-ca-file",
            paramLabel = "FILE",
            description = "The PEM file with the certificate of the authority (CA) that signs client certificates. With"
                    + " this option, the gateway refuses clients without a certificate that this authority has"
                    + " signed.")
    private @Nullable Path clientCaFile;

    @Option(
            names = "--http-client-names",
            split = ",",
            paramLabel = "NAME",
            description = "The common names of the client certificates that the gateway accepts, separated by commas."
                    + " Without this option, it accepts every certificate that the authority has signed, so this"
                    + " authority should sign for no other clients.")
    private List<String> clientNames = List.of();

    @Option(
            names = "--http-unprotected",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Allows an API without protection on an address that other machines can reach. The API is"
                    + " protected if it has TLS, and also tokens or client certificates. With this option, a request"
                    + " without a token may also have any header Host.")
    private boolean unprotected;

    @Option(
            names = "--http-connections",
            defaultValue = "1000",
            paramLabel = "N",
            description = "The maximum number of open connections. Further connections wait until the gateway accepts"
                    + " them.")
    private int connections;

    @Option(
            names = "--http-connections-per-address",
            paramLabel = "N",
            description = "The maximum number of open connections from one address. The gateway closes further"
                    + " connections. Without this option, the maximum is a quarter of --http-connections. All clients"
                    + " behind a proxy have the address of the proxy.")
    private @Nullable Integer connectionsPerAddress;

    @Option(
            names = "--http-requests",
            defaultValue = "64",
            paramLabel = "N",
            description = "The maximum number of requests that are processed at the same time. While fewer than"
                    + " --http-streams clients follow renames, other requests may use the rest of that number. The"
                    + " gateway answers further requests with 503.")
    private int requests;

    @Option(
            names = "--http-streams",
            defaultValue = "100",
            paramLabel = "N",
            description =
                    "The maximum number of clients that follow renames at the same time. The gateway answers further"
                            + " clients with 503. One read of the journal per second serves all clients.")
    private int streams;

    @Option(
            names = "--http-streams-per-caller",
            paramLabel = "N",
            description = "The maximum number of clients that follow renames with the name of one token or certificate."
                    + " The gateway answers further clients with 429. Without this option, the maximum is a quarter of"
                    + " --http-streams. Callers without a name have no limit of their own.")
    private @Nullable Integer streamsPerCaller;

    @Option(
            names = "--http-requests-per-second",
            defaultValue = "100",
            paramLabel = "N",
            description =
                    "The maximum number of requests per second of one caller. All callers without an accepted token"
                            + " share one limit of this size. The gateway answers further requests with 429.")
    private int requestsPerSecond;

    @Option(
            names = "--http-searches",
            defaultValue = "8",
            paramLabel = "N",
            description = "The maximum number of searches, lists of entries and forecasts of one caller at the same"
                    + " time. All callers without a name share one limit of this size. The gateway answers further"
                    + " ones with 429.")
    private int searches;

    /**
     * Returns the largest number of searches that one caller may run at the same time.
     *
     * @throws IllegalArgumentException if the option is not valid
     */
    int searches() {
        if (searches < 1) {
            throw new IllegalArgumentException("--http-searches must be at least 1, was " + searches);
        }
        return searches;
    }

    /** Returns the largest number of clients that follow renames. */
    int streams() {
        return streams;
    }

    Limits limits() {
        return new Limits(
                connections,
                orPart(connectionsPerAddress, connections),
                requests,
                streams,
                orPart(streamsPerCaller, streams),
                requestsPerSecond);
    }

    private static int orPart(@Nullable Integer given, int whole) {
        return given == null ? Math.ceilDiv(whole, PARTS) : given;
    }

    /**
     * Returns the address and the access control.
     *
     * @throws IllegalArgumentException if an option is not valid, or if other machines could use the gateway without
     *     access control
     */
    Access access() {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("--http-port must be 0 to " + MAX_PORT + ", was " + port);
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("--http-host must be an address of this machine, was " + host);
        }
        boolean isProtected = certificateFile != null && (tokenFile != null || clientCaFile != null);
        if (!address.getAddress().isLoopbackAddress() && !isProtected && !unprotected) {
            throw new IllegalArgumentException("other machines can reach --http-host " + host + ": protect the API with"
                    + " --http-tls-certificate-file and --http-tls-key-file, and also --http-token-file or"
                    + " --http-client-ca-file; --http-unprotected allows an API without protection");
        }
        return new Access(
                address,
                ServerTls.of("--http", certificateFile, keyFile, clientCaFile, clientNames),
                tokens(),
                unprotected);
    }

    /**
     * Returns the keys that sign the positions of pages.
     *
     * @throws IllegalArgumentException if the file with the keys is not valid
     */
    PageKeys pageKeys() {
        return pageKeyFile == null ? PageKeys.random() : PageKeys.of(pageKeyFile);
    }

    private @Nullable Tokens tokens() {
        if (tokenFile == null) {
            return null;
        }
        requireReadable("--http-token-file", tokenFile);
        return Tokens.of(tokenFile);
    }

    private static void requireReadable(String option, Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("cannot read the file of " + option + ": " + file);
        }
    }
}
