package org.treerename.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.DurationConverter;
import org.treerename.elastic.Authorization;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.Tls;
import org.treerename.installation.Installation;
import picocli.CommandLine.Option;

/**
 * The options for the connection to Elasticsearch: addresses, user and certificates. Secrets are in files, because all
 * users of a machine can see a command line.
 */
public final class ElasticsearchOptions {

    @Option(
            names = "--elasticsearch-url",
            paramLabel = "URL,…",
            description = "The addresses of Elasticsearch, separated by commas. Each address must lead to one node, not"
                    + " to a load balancer, because a search must reach the node that was refreshed.")
    private String url = "";

    @Option(
            names = "--request-timeout",
            defaultValue = "30s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "How long one request to Elasticsearch may take.")
    private Duration requestTimeout = Duration.ZERO;

    @Option(
            names = "--elasticsearch-user",
            paramLabel = "NAME",
            description = "The user name for Elasticsearch, if its security is on.")
    private @Nullable String user;

    @Option(
            names = "--elasticsearch-password-file",
            paramLabel = "FILE",
            description = "The file with the password of the user. A line break at the end of the file is ignored.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--elasticsearch-api-key-file",
            paramLabel = "FILE",
            description = "The file with an API key, as an alternative to a user. When Elasticsearch creates an API"
                    + " key, the field 'encoded' of the response contains the key.")
    private @Nullable Path apiKeyFile;

    @Option(
            names = "--elasticsearch-ca-file",
            paramLabel = "FILE",
            description = "A PEM file with the certificates of the authorities that signed the certificate of"
                    + " Elasticsearch. This file is needed if the URLs are https and Java does not trust these"
                    + " authorities.")
    private @Nullable Path caFile;

    @Option(
            names = "--elasticsearch-certificate-file",
            paramLabel = "FILE",
            description = "The PEM file with the client certificate of this process, if Elasticsearch requires one.")
    private @Nullable Path certificateFile;

    @Option(
            names = "--elasticsearch-key-file",
            paramLabel = "FILE",
            description = "The PEM file with the private key of the client certificate (PKCS#8, not encrypted).")
    private @Nullable Path keyFile;

    /**
     * Returns the connection settings of an installation, as these options define them.
     *
     * @throws IllegalArgumentException if an option is missing or invalid
     */
    public Elastic.Settings settings(Installation installation) {
        if (url.isBlank()) {
            throw new IllegalArgumentException("expected the addresses of Elasticsearch, found none; set"
                    + " --elasticsearch-url, ELASTICSEARCH_URL in the environment, or elasticsearch-url in the"
                    + " configuration file");
        }
        return Elastic.Settings.of(url, requestTimeout)
                .in(installation)
                .as(authorization())
                .over(tls());
    }

    private @Nullable Tls tls() {
        return caFile == null && certificateFile == null && keyFile == null
                ? null
                : Tls.of(caFile, certificateFile, keyFile);
    }

    private @Nullable Authorization authorization() {
        if (apiKeyFile != null) {
            if (user != null || passwordFile != null) {
                throw new IllegalArgumentException(
                        "--elasticsearch-api-key-file must not be combined with --elasticsearch-user or"
                                + " --elasticsearch-password-file, found both");
            }
            return Authorization.ofApiKey(
                    secret("--elasticsearch-api-key-file", apiKeyFile).strip());
        }
        if ((user == null) != (passwordFile == null)) {
            throw new IllegalArgumentException(
                    "--elasticsearch-user and --elasticsearch-password-file must be given together, found only one of"
                            + " them");
        }
        return user == null || passwordFile == null
                ? null
                : Authorization.ofUser(
                        user,
                        secret("--elasticsearch-password-file", passwordFile).replaceFirst("\\R$", ""));
    }

    private static String secret(String option, Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the file of " + option + ": " + e, e);
        }
    }
}
