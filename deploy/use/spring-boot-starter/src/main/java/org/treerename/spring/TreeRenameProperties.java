package org.treerename.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.treerename.elastic.Authorization;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.Tls;
import org.treerename.installation.Installation;
import org.treerename.producer.OutcomeStart;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.writer.WriterSettings;

/**
 * The configuration properties whose names begin with {@code tree-rename}.
 *
 * @param prefix the prefix of the installation; empty for no prefix
 * @param kafka the connection to Kafka
 * @param elasticsearch the connection of readers and writers to Elasticsearch
 * @param writer the settings of the locks of writers
 * @param outcomes the start position of the application's outcome listener
 */
@ConfigurationProperties("tree-rename")
public record TreeRenameProperties(
        @DefaultValue("") String prefix,
        @DefaultValue Kafka kafka,
        @DefaultValue Elasticsearch elasticsearch,
        @DefaultValue Writer writer,
        @DefaultValue Outcomes outcomes) {

    /**
     * The connection to Kafka.
     *
     * @param bootstrapServers the addresses of Kafka; without addresses, no client is created
     * @param apiTimeout the timeout of one call to Kafka
     * @param deliveryTimeout the time after which a request fails if Kafka has not acknowledged it
     * @param orderingDepth a number of segments at the beginning of a path; requests keep their order if these segments
     *     of their sources are equal
     * @param properties additional properties of Kafka's clients, for example {@code security.protocol}
     */
    public record Kafka(
            @Nullable String bootstrapServers,
            @DefaultValue("15s") Duration apiTimeout,
            @DefaultValue("30s") Duration deliveryTimeout,
            @DefaultValue("1") int orderingDepth,
            @DefaultValue Map<String, String> properties) {}

    /**
     * The connection to Elasticsearch.
     *
     * @param urls the URLs of Elasticsearch, separated by commas; without URLs, no reader and no locks are created
     * @param username the name of the user; null without security or with an API key
     * @param password the password of the user
     * @param apiKey the encoded API key; null without security or with a user
     * @param certificateAuthorities the file with the trusted certificates; null for the certificates that Java trusts
     * @param requestTimeout the timeout of one request
     */
    public record Elasticsearch(
            @Nullable String urls,
            @Nullable String username,
            @Nullable String password,
            @Nullable String apiKey,
            @Nullable Path certificateAuthorities,
            @DefaultValue("30s") Duration requestTimeout) {}

    /**
     * The settings of the locks of writers.
     *
     * @param service the name of the program in the control index
     * @param lease the lease; it must be equal to the lease of the workers and janitors
     * @param lockWait the longest time that a writer waits for a lock
     * @param grace the maximum time that the shutdown of the program takes
     */
    public record Writer(
            @DefaultValue(WriterSettings.DEFAULT_SERVICE) String service,
            @DefaultValue("30s") Duration lease,
            @DefaultValue("2m") Duration lockWait,
            @DefaultValue("6s") Duration grace) {}

    /**
     * The start position of the outcome listener.
     *
     * @param group the consumer group of the listener; without a group, the listener starts at the end of the topic
     */
    public record Outcomes(@Nullable String group) {}

    /** Returns the settings of the rename client from the properties {@code tree-rename.kafka.*}. */
    ProducerSettings producer() {
        String servers = kafka.bootstrapServers();
        if (servers == null) {
            throw new IllegalStateException("expected the property tree-rename.kafka.bootstrap-servers, found none");
        }
        return ProducerSettings.of(servers)
                .withTimeouts(kafka.apiTimeout(), kafka.deliveryTimeout())
                .withOrderingDepth(kafka.orderingDepth())
                .withClientProperties(kafka.properties())
                .withPrefix(prefix);
    }

    /** Returns the settings of readers from the properties {@code tree-rename.elasticsearch.*}. */
    Elastic.Settings reader() {
        return Elastic.Settings.of(urls(), elasticsearch.requestTimeout())
                .as(authorization())
                .over(tls())
                .in(new Installation(prefix));
    }

    /**
     * Returns the settings of the locks from the properties {@code tree-rename.writer.*} and {@code
     * tree-rename.elasticsearch.*}.
     */
    WriterSettings locks() {
        WriterSettings settings = WriterSettings.of(urls())
                .withService(writer.service())
                .withLease(writer.lease())
                .withLockWait(writer.lockWait())
                .withGrace(writer.grace())
                .withRequestTimeout(elasticsearch.requestTimeout())
                .withPrefix(prefix);
        Authorization authorization = authorization();
        Tls tls = tls();
        settings = authorization == null ? settings : settings.as(authorization);
        return tls == null ? settings : settings.over(tls);
    }

    /** Returns the start position of the outcome listener. */
    OutcomeStart start() {
        return outcomes.group() == null ? OutcomeStart.end() : OutcomeStart.group(outcomes.group());
    }

    private String urls() {
        String urls = elasticsearch.urls();
        if (urls == null) {
            throw new IllegalStateException("expected the property tree-rename.elasticsearch.urls, found none");
        }
        return urls;
    }

    private @Nullable Authorization authorization() {
        String username = elasticsearch.username();
        String password = elasticsearch.password();
        String apiKey = elasticsearch.apiKey();
        if (apiKey != null && username != null) {
            throw new IllegalStateException(
                    "expected tree-rename.elasticsearch.api-key or username, found both: remove one of them");
        }
        if (apiKey != null) {
            return Authorization.ofApiKey(apiKey);
        }
        return username == null ? null : Authorization.ofUser(username, password == null ? "" : password);
    }

    private @Nullable Tls tls() {
        return elasticsearch.certificateAuthorities() == null
                ? null
                : Tls.of(elasticsearch.certificateAuthorities(), null, null);
    }
}
