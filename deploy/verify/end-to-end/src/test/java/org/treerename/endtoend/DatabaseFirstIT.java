package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;
import org.treerename.testservers.TestServers;

/** Tests the example that stores a tree in a database and keeps a copy of the tree in an index. */
final class DatabaseFirstIT {

    private static final int DIRECTORIES = 10;
    private static final int FILES = 30;
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private static EmbeddedPostgres postgres;
    private static Log topics;

    @TempDir
    private static Path folder;

    private final String name = "database-" + UUID.randomUUID();

    @BeforeAll
    static void start() throws IOException, SQLException {
        postgres = EmbeddedPostgres.builder().setPGStartupWait(Log.PATIENCE).start();
        try (InputStream sql = Objects.requireNonNull(
                        DatabaseFirstIT.class.getResourceAsStream("/org/treerename/examples/database.sql"));
                Connection database = connect();
                Statement statement = database.createStatement()) {
            statement.execute(new String(sql.readAllBytes(), StandardCharsets.UTF_8));
        }
        Tree.create();
        topics = Log.open();
    }

    @AfterAll
    static void stop() throws IOException {
        topics.close();
        postgres.close();
    }

    private static String url() {
        return postgres.getJdbcUrl("postgres", "postgres");
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    private static void call(Connection database, String procedure, String... arguments) throws SQLException {
        String marks = String.join(", ", Collections.nCopies(arguments.length, "?"));
        try (PreparedStatement call = database.prepareStatement("CALL " + procedure + "(" + marks + ")")) {
            for (int i = 0; i < arguments.length; i++) {
                call.setString(i + 1, arguments[i]);
            }
            call.execute();
        }
    }

    private static long number(String query) {
        try (Connection database = connect();
                Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitAllDone() {
        Awaitility.await("the publisher has processed the whole outbox")
                .atMost(Log.PATIENCE)
                .until(() -> number("SELECT count(*) FROM outbox WHERE NOT done") == 0);
    }

    /** Returns the path, the type and the words of each row of the table, by id. */
    private static SortedMap<String, String> table() throws SQLException {
        SortedMap<String, String> entries = new TreeMap<>();
        try (Connection database = connect();
                Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery("SELECT id, path, type, words FROM entry")) {
            while (row.next()) {
                entries.put(row.getString(1), row.getString(2) + " " + row.getString(3) + " " + row.getString(4));
            }
        }
        return entries;
    }

    private SortedMap<String, String> index() {
        SortedMap<String, String> entries = new TreeMap<>();
        for (JsonNode hit : Es.all(name)) {
            JsonNode source = hit.path("_source");
            String path = source.path("path").asText();
            assertThat(source.path("parent").asText() + "/"
                            + source.path("name").asText())
                    .isEqualTo(path.lastIndexOf('/') == 0 ? "/" + path : path);
            entries.put(
                    hit.path("_id").asText(),
                    path + " " + source.path("type").asText() + " "
                            + source.path("words").asText());
        }
        return entries;
    }

    private ChildProcess publisher(Path log) throws IOException {
        return JavaCommand.of(
                        "org.treerename.examples.OutboxPublisher",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        log)
                .jvmOptions("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .arguments(url(), TestServers.kafkaBootstrapServers(), TestServers.elasticsearchUrl(), name, name)
                .start();
    }

    private static void awaitLogged(Path log, String words) {
        Awaitility.await(words).atMost(Log.PATIENCE).until(() -> {
            try {
                return Files.exists(log) && Files.readString(log).contains(words);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private String define() throws IOException {
        Es.put("/" + name, """
            {"settings": {"number_of_replicas": 0}, "mappings": {"dynamic": false, "properties": {
              "path": {"type": "keyword"}, "parent": {"type": "keyword"}, "name": {"type": "keyword"},
              "type": {"type": "keyword"}}}}\
            """);
        return "--namespaces=" + Files.writeString(folder.resolve("namespaces.yaml"), """
            namespaces:
              - name: %s
                index: %s
                path_field: path
                parent_field: parent
                name_field: name
                directory_field: type
                directory_value: directory
                version: external
            """.formatted(name, name));
    }

    private static void fill(Connection database) throws SQLException {
        call(database, "create_entry", "/projects", "directory", "");
        for (int i = 0; i < DIRECTORIES; i++) {
            String directory = "/projects/d" + i;
            call(database, "create_entry", directory, "directory", "");
            for (int j = 0; j < FILES; j++) {
                call(database, "create_entry", directory + "/f" + j, "file", "words of " + i + " and " + j);
            }
        }
    }

    @Test
    void the_index_follows_the_table_although_the_publisher_and_a_worker_are_killed() throws IOException, SQLException {
        String definitions = define();
        Group group = Group.atTheEndOfTheLog();
        Path first = folder.resolve("first.log");
        long renamed;
        try (Connection database = connect()) {
            fill(database);
            try (ChildProcess publisher = publisher(first)) {
                awaitAllDone();
                assertThat(index()).isEqualTo(table()).hasSize(1 + DIRECTORIES + DIRECTORIES * FILES);

                call(database, "rename_entry", "/projects", "/archive");
                renamed = number("SELECT version FROM tree_version");
                awaitLogged(first, "has requested");
                publisher.kill();
            }
            assertThat(number("SELECT count(*) FROM outbox WHERE NOT done")).isEqualTo(1);

            try (Janitors janitors = Janitors.start(1, "--page-size=100")) {
                try (Workers workers = Workers.instrumented(
                        1, group.option(), definitions, "--lease=2s", "--page-size=100", "--crash-at=WITHIN_MOVE:2")) {
                    assertThat(workers.processes().getFirst().waitFor(Log.PATIENCE))
                            .isEqualTo(CrashCase.KILLED);
                }
                call(database, "edit_entry", "/archive/d1/f1", "edited while it moved");
                call(database, "create_entry", "/projects", "directory", "another one");
                call(database, "create_entry", "/projects/new", "file", "");
                call(database, "rename_entry", "/archive/d2", "/projects/d2");
                call(database, "delete_file", "/projects/d2/f2");
                call(database, "rename_entry", "/projects/d2/f3", "/f3");
                assertThat(topics.outcome(name + "-" + renamed)
                                .path("rolled_forward")
                                .asBoolean())
                        .isTrue();

                Path second = folder.resolve("second.log");
                try (Workers workers = Workers.start(1, group.option(), definitions, "--lease=2s");
                        ChildProcess publisher = publisher(second)) {
                    awaitAllDone();
                    assertThat(publisher.isAlive())
                            .as("the publisher is alive, with the workers %s", workers.ids())
                            .isTrue();
                    Awaitility.await("an outcome for each record of the request")
                            .atMost(Log.PATIENCE)
                            .until(() -> topics.outcomes(name + "-" + renamed).size() > 1);
                }
                assertThat(index()).isEqualTo(table()).hasSize(2 + DIRECTORIES + DIRECTORIES * FILES);
                assertThat(new HashSet<>(topics.outcomes(name + "-" + renamed))).hasSize(1);
                Elasticsearch.SHARED.assertNothingLeft(Set.of(name));
            }
        }
    }

    @Test
    void the_database_assigns_versions_in_the_order_of_the_commits() throws SQLException {
        try (Connection one = connect();
                Connection other = connect();
                Statement setting = other.createStatement()) {
            setting.execute("SET lock_timeout = '200ms'");
            one.setAutoCommit(false);
            call(one, "create_entry", "/first", "directory", "");

            assertThatThrownBy(() -> call(other, "create_entry", "/second", "directory", ""))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(LOCK_NOT_AVAILABLE));
            one.rollback();
            long last = number("SELECT version FROM tree_version");
            call(other, "create_entry", "/second", "directory", "");
            assertThat(number("SELECT version FROM tree_version"))
                    .as("the version after the rollback, without a gap")
                    .isEqualTo(last + 1);
            call(other, "rename_entry", "/second", "/third");
            assertThatThrownBy(() -> call(other, "rename_entry", "/third", "/none/third"))
                    .hasMessageContaining("there is no directory /none");
            assertThat(number("SELECT count(*) FROM entry WHERE path = '/third'"))
                    .isEqualTo(1);
        }
        try (Connection database = connect();
                Statement statement = database.createStatement()) {
            statement.execute("TRUNCATE entry, outbox");
        }
    }
}
