package org.treerename.producer.cli.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.Settings;
import org.treerename.cli.Settings.Origin;
import org.treerename.elastic.Tls;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The options for the connection to a gateway. With a gateway, a command needs no access to Kafka or Elasticsearch.
 */
public final class ServerOptions {

    private static final String SERVER = "--server";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = SERVER,
            paramLabel = "URL",
            description = "The address of a gateway. With a gateway, the command needs no address of Kafka or"
                    + " Elasticsearch, and no login for these servers. The gateway uses its own settings.")
    private @Nullable String server;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "The token for the gateway. Other users of this machine can see the command line. So"
                    + " prefer --token-file or the variable TREE_RENAME_TOKEN.")
    private @Nullable String token;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "The file with the token for the gateway. White space around the token is ignored.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--allow-plain-token",
            fallbackValue = "true",
            description = "Allows a token for a gateway on another machine although its address begins with http://."
                    + " Everyone on the network between can then read the token.")
    private boolean allowPlainToken;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "A PEM file with the certificates of the authorities that signed the certificate of the"
                    + " gateway. This file is needed if Java does not trust these authorities.")
    private @Nullable Path caFile;

    @Option(
            names = "--certificate-file",
            paramLabel = "FILE",
            description = "The PEM file with the client certificate of this command, if the gateway requires one.")
    private @Nullable Path certificateFile;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "The PEM file with the private key of the client certificate (PKCS#8, not encrypted).")
    private @Nullable Path keyFile;

    /**
     * Returns a client of the gateway; empty if the command must connect to Kafka or Elasticsearch itself. If the user
     * has set both the gateway and these servers, the setting with the higher priority is used. For example, an
     * environment variable has a higher priority than the configuration file. If both settings have the same priority,
     * the command uses the gateway. The command line must not contain both settings.
     *
     * @param direct the options with the addresses of the servers that the command uses without a gateway
     * @throws IllegalArgumentException if the command line contains both settings, or if an option is invalid
     */
    public Optional<GatewayClient> client(String... direct) {
        Origin gateway = origin(SERVER);
        Origin servers = highest(direct);
        if (gateway == Origin.DEFAULT || server == null) {
            return Optional.empty();
        }
        if (gateway == Origin.COMMAND_LINE && servers == Origin.COMMAND_LINE) {
            throw new IllegalArgumentException(
                    "expected either " + SERVER + " or " + String.join(" and ", direct) + ", found both");
        }
        return servers.compareTo(gateway) > 0
                ? Optional.empty()
                : Optional.of(GatewayClient.connect(server, token(), allowPlainToken, tls()));
    }

    /**
     * Checks the options of a command that cannot use a gateway. Throws if the command line contains a gateway. Also
     * throws if the user has set a gateway, but none of the servers.
     *
     * @param command the command, for the message
     * @param direct the options with the addresses of the servers that the command needs
     */
    public void requireNone(String command, String... direct) {
        Origin gateway = origin(SERVER);
        boolean isOnly = gateway != Origin.DEFAULT && highest(direct) == Origin.DEFAULT;
        if (gateway == Origin.COMMAND_LINE || isOnly) {
            throw new IllegalArgumentException("the gateway " + server + " has no endpoint for " + command + "; use "
                    + String.join(" and ", direct) + " instead of " + SERVER);
        }
    }

    /** Returns whether the command line itself contains an option. */
    public boolean isGiven(String option) {
        return origin(option) == Origin.COMMAND_LINE;
    }

    /** Returns whether an option is set on the command line, in the environment or in the configuration file. */
    public boolean isSet(String option) {
        return origin(option) != Origin.DEFAULT;
    }

    /** Returns whether the command has a token for the gateway. */
    public boolean hasToken() {
        return token != null || tokenFile != null;
    }

    private Origin highest(String... options) {
        return Arrays.stream(options)
                .map(this::origin)
                .max(Comparator.naturalOrder())
                .orElse(Origin.DEFAULT);
    }

    private Origin origin(String option) {
        CommandLine command = Objects.requireNonNull(spec).commandLine();
        return Settings.origin(command, option);
    }

    private @Nullable String token() {
        Origin ofToken = origin("--token");
        Origin ofFile = origin("--token-file");
        if (token != null && tokenFile != null && ofToken == ofFile) {
            throw new IllegalArgumentException("expected either --token or --token-file, found both");
        }
        return tokenFile == null || (token != null && ofToken.compareTo(ofFile) > 0) ? token : read(tokenFile);
    }

    private static String read(Path file) {
        String text;
        try {
            text = Files.readString(file).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the file of --token-file: " + e, e);
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException("expected a token in the file of --token-file, found nothing: " + file);
        }
        return text;
    }

    private @Nullable SSLContext tls() {
        if (caFile == null && certificateFile == null && keyFile == null) {
            return null;
        }
        return Tls.of(caFile, certificateFile, keyFile).context();
    }
}
