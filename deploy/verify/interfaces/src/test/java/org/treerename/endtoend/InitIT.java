package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.endtoend.Console.Ended;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespace.Directories;
import org.treerename.namespace.NamespaceFile;
import org.treerename.testservers.TestServers;

/** Tests {@code rename-admin init} on real servers. The tests send exactly the requests that the command prints. */
final class InitIT {

    /** A path that is longer than the limit {@code ignore_above} of a dynamically mapped keyword field. */
    private static final String LONG = "/a/" + "x".repeat(300);

    @TempDir
    private Path folder;

    private final String index = "init-" + UUID.randomUUID();

    private Path file() {
        return folder.resolve("namespaces.yaml");
    }

    private Ended init(String... options) {
        return admin(Stream.concat(Stream.of("init", index, "--file=" + file(), "--yes"), Stream.of(options))
                .toArray(String[]::new));
    }

    private static Ended admin(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--elasticsearch-url=" + TestServers.elasticsearchUrl());
        return Console.run(Console.RENAME_ADMIN, all);
    }

    private void put(String id, String source) {
        assertThat(Es.put("/" + index + "/_doc/" + id + "?refresh=true&pipeline=_none", source.replace('\'', '"'))
                        .path("result")
                        .asText())
                .isEqualTo("created");
    }

    private void create(String body) {
        assertThat(Es.put("/" + index, body.replace('\'', '"'))
                        .path("acknowledged")
                        .asBoolean())
                .isTrue();
    }

    /**
     * Sends the requests in the output of the command. A request ends at an empty line. Returns the number of requests.
     */
    private static int sendPrinted(String out) throws IOException {
        List<String> lines = out.lines().toList();
        int sent = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("PUT /") || lines.get(i).startsWith("POST /")) {
                String[] request = lines.get(i).split(" ", 2);
                StringBuilder body = new StringBuilder();
                for (i++; i < lines.size() && !lines.get(i).isEmpty(); i++) {
                    body.append(lines.get(i)).append('\n');
                }
                JsonNode answer = Es.send(request[0], request[1], body.toString());
                assertThat(answer.has("error")).as("%s %s", request[1], answer).isFalse();
                assertThat(answer.path("failures")).isEmpty();
                sent++;
            }
        }
        return sent;
    }

    private Namespace defined() {
        List<Namespace> all = NamespaceFile.read(file());
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    private long at(String path) {
        Es.post("/" + index + "/_refresh", "");
        String field = defined().fields().searched().getFirst();
        return Es.post("/" + index + "/_count", "{\"query\":{\"term\":{\"" + field + "\":\"" + path + "\"}}}")
                .path("count")
                .asLong(-1);
    }

    @Test
    void repairs_a_dynamically_mapped_index_so_that_a_rename_moves_documents_with_long_paths() throws IOException {
        put("1", "{'path':'/a','name':'a','type':'directory'}");
        put("2", "{'path':'/a/b','name':'b','type':'file'}");
        put("3", "{'path':'/c','name':'c','type':'file'}");
        put("4", "{'path':'" + LONG + "','name':'" + "x".repeat(300) + "','type':'file'}");

        Ended first = init();

        assertThat(first.code()).isEqualTo(1);
        assertThat(first.out())
                .contains(
                        index + ": read 4 of 4 documents",
                        "path field: path (text), separator \"/\", with a separator at the beginning",
                        "remark: 1 of 1 directories have a document",
                        file() + " is created with the definition",
                        "workers refuse this index at present:\n  ignore_above of the field path.keyword is 256",
                        "# indexes 1 document again, because searches do not find",
                        "PUT /" + index + "/_mapping\n",
                        "POST /" + index + "/_update_by_query?conflicts=proceed&refresh=true\n");
        assertThat(defined().fields().keyword()).isEqualTo("path.keyword");
        assertThat(defined().fields().name()).isEqualTo("name");
        assertThat(defined().directories()).isEqualTo(new Directories("type", "directory"));
        assertThat(at(LONG))
                .as("documents that searches find before the repair")
                .isZero();

        assertThat(sendPrinted(first.out())).isEqualTo(2);

        assertThat(at(LONG)).as("documents that searches find after the repair").isOne();
        Ended second = init();
        assertThat(second.code()).as(second.out()).isZero();
        assertThat(second.out())
                .contains("contains this definition already; the file is not changed", "the index is suitable")
                .doesNotContain("POST /");
        assertThat(admin("check", index, "--namespaces=" + file())).isEqualTo(new Ended(0, "no problem\n"));
        assertRenameMoves("/a", "/moved", LONG);
    }

    /** Defines the namespace, renames with a real worker, and asserts that the document has moved. */
    private void assertRenameMoves(String source, String destination, String path) {
        assertThat(admin("namespaces", "define", file().toString()).out()).isEqualTo(index + " is defined\n");
        try (Log log = Log.open();
                Workers workers = Workers.start(1)) {
            ObjectNode request = Requests.rename(index, source, destination);
            log.send(0, request.toString());
            assertThat(log.outcome(Requests.id(request)).path("status").asText())
                    .isEqualTo("completed");
            assertThat(workers.ids()).hasSize(1);
        }
        assertThat(at(path)).isZero();
        assertThat(at(destination + path.substring(source.length()))).isOne();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "{'properties':{'path':{'type':'text'}}}; path.keyword",
                "{'properties':{'path':{'type':'text','norms':false,'fields':{'keyword':{'type':'text'}}}}}; path.exact",
                "{'properties':{'path':{'type':'text','index':false}}}; path.keyword",
                "{'properties':{'path':{'type':'keyword','ignore_above':256}}}; path",
                "{'properties':{'path':{'type':'keyword','ignore_above':256,'normalizer':'lowercase'}}}; path.keyword",
                "{'properties':{'path':{'type':'keyword','index':false,'doc_values':false}}}; path.keyword",
                "{'properties':{'path':{'type':'keyword','doc_values':false}}}; path.keyword",
                "{'dynamic':false,'properties':{'other':{'type':'keyword'}}}; path",
                "{'dynamic':false,'runtime':{'path':{'type':'keyword'}}}; path",
            })
    void the_printed_requests_make_every_path_searchable(String mappings, String searched) throws IOException {
        create("{'mappings':" + mappings + "}");
        String source = "{\"path\":\"" + LONG + "\",\"n\":1.5}";
        put("1", source);
        put("2", "{'path':'/a/b'}");
        put("3", "{'path':'/c'}");

        Ended first = init();
        assertThat(first.code()).as(first.out()).isEqualTo(1);
        assertThat(defined().fields().searched()).containsExactly(searched);
        sendPrinted(first.out());

        Ended second = init();
        assertThat(second.code()).as(second.out()).isZero();
        assertThat(at(LONG)).isOne();
        assertThat(at("/c")).isOne();
        assertThat(Es.get("/" + index + "/_doc/1").path("_source"))
                .as("the unchanged document")
                .isEqualTo(Es.JSON.readTree(source));
        assertThat(admin("check", index, "--namespaces=" + file())).isEqualTo(new Ended(0, "no problem\n"));
    }

    @Test
    void asks_again_for_the_documents_if_only_the_mapping_was_changed() throws IOException {
        put("1", "{'path':'/a/b'}");
        put("2", "{'path':'" + LONG + "'}");
        String out = init().out();
        String onlyMapping = out.substring(0, out.indexOf("\nPOST /"));
        assertThat(sendPrinted(onlyMapping)).isOne();

        Ended second = init();

        assertThat(second.code()).isEqualTo(1);
        assertThat(second.out())
                .doesNotContain("PUT /", "workers refuse")
                .contains("# indexes 1 document again", "POST /" + index + "/_update_by_query");
        sendPrinted(second.out());
        assertThat(init().code()).isZero();
    }

    @Test
    void repairs_a_field_of_an_object_and_a_field_with_a_dot_in_its_name() throws IOException {
        create("{'settings':{'index.analysis.analyzer.tree.tokenizer':'path_hierarchy'},'mappings':{'dynamic':'strict',"
                + "'properties':{'file':{'dynamic':'strict','properties':{'path':{'type':'text','analyzer':'tree',"
                + "'fields':{'keyword':{'type':'keyword','ignore_above':256}}}}}}}}");
        put("1", "{'file':{'path':'/a/1'}}");
        put("2", "{'file':{'path':'" + LONG + "'}}");
        sendPrinted(init().out());
        assertThat(init().code()).isZero();
        assertThat(at(LONG)).isOne();

        String dotted = index + "-dotted";
        Es.put(
                "/" + dotted,
                "{\"mappings\":{\"subobjects\":false,\"properties\":{\"file.path\":{\"type\":\"text\"}}}}");
        Es.put("/" + dotted + "/_doc/1?refresh=true", "{\"file.path\":\"/a/1\"}");
        sendPrinted(admin("init", dotted, "--yes", "--file=" + file()).out());
        assertThat(admin("init", dotted, "--yes", "--file=" + file()).code()).isZero();
        assertThat(NamespaceFile.read(file())).extracting(Namespace::name).containsExactly(index, dotted);
    }

    @Test
    void repairs_each_index_of_an_alias() throws IOException {
        String alias = index + "-alias";
        for (String one : List.of(index + "-1", index + "-2")) {
            String fields = one.endsWith("1") ? ",\"fields\":{\"keyword\":{\"type\":\"keyword\"}}" : "";
            Es.put(
                    "/" + one,
                    "{\"aliases\":{\"" + alias + "\":{}},\"mappings\":{\"properties\":{\"path\":{\"type\":\"text\""
                            + fields + "}}}}");
            Es.put("/" + one + "/_doc/1?refresh=true", "{\"path\":\"/a/" + one + "\"}");
        }

        Ended first = admin("init", alias, "--yes", "--file=" + file());

        assertThat(first.out()).contains("PUT /" + index + "-2/_mapping").doesNotContain("PUT /" + index + "-1/");
        sendPrinted(first.out());
        assertThat(admin("init", alias, "--yes", "--file=" + file()).code()).isZero();
    }

    @Test
    void the_printed_requests_run_no_pipeline_and_keep_vectors() throws IOException {
        Es.put("/_ingest/pipeline/stamp-" + index, "{\"processors\":[{\"set\":{\"field\":\"stamped\",\"value\":1}}]}");
        create("{'settings':{'index.default_pipeline':'stamp-" + index + "'},"
                + "'mappings':{'properties':{'v':{'type':'dense_vector','dims':2}}}}");
        put("1", "{'path':'" + LONG + "','v':[1.0,2.0]}");
        put("2", "{'path':'/a/b','v':[1.0,2.0]}");

        Ended first = init();
        sendPrinted(first.out());

        assertThat(first.out()).contains("&pipeline=_none");
        assertThat(init().code()).isZero();
        assertThat(Es.get("/" + index + "/_doc/1?_source_exclude_vectors=false").path("_source"))
                .isEqualTo(Es.JSON.readTree("{\"path\":\"" + LONG + "\",\"v\":[1.0,2.0]}"));
    }

    @Test
    void removes_separators_at_the_end_of_paths_only_as_advice() throws IOException {
        create("{'mappings':{'properties':{'path':{'type':'keyword'},'type':{'type':'keyword'}}}}");
        put("1", "{'path':'/a/','type':'directory'}");
        put("2", "{'path':'/a/1','type':'file'}");
        put("3", "{'path':'/a/2','type':'file'}");

        Ended first = init();

        assertThat(first.code()).as("exit code of an index that workers accept").isZero();
        assertThat(first.out())
                .contains(
                        "in 1 of 3 documents, the path ends with \"/\"",
                        "these requests are optional:",
                        "# removes the separator at the end of 1 path");
        assertThat(defined().directories()).isEqualTo(new Directories("type", "directory"));
        sendPrinted(first.out());
        assertThat(at("/a")).isOne();
        assertThat(admin("check", index, "--namespaces=" + file())).isEqualTo(new Ended(0, "no problem\n"));
    }

    @Test
    void searches_for_directories_that_are_not_in_the_sample() {
        create("{'mappings':{'properties':{'path':{'type':'keyword'},'type':{'type':'keyword'}}}}");
        StringBuilder bulk = new StringBuilder("{\"index\":{}}\n{\"path\":\"/d\",\"type\":\"folder\"}\n");
        for (int i = 0; i < 1_500; i++) {
            bulk.append("{\"index\":{}}\n{\"path\":\"/d/").append(i).append("\",\"type\":\"file\"}\n");
        }
        Es.post("/" + index + "/_bulk?refresh=true", bulk.toString());

        assertThat(init().out()).contains("read 1000 of 1501 documents", "1 of 1 directories have a document");
        assertThat(defined().directories()).isEqualTo(new Directories("type", "folder"));
    }

    @Test
    void does_not_replace_a_definition_without_force_and_does_not_write_without_confirmation() throws IOException {
        create("{'mappings':{'properties':{'path':{'type':'keyword'}}}}");
        put("1", "{'path':'/a/b'}");
        String mine = "# mine\nnamespaces:\n  - name: " + index + "\n    index: " + index
                + "\n    path_field: path\n    ordering_depth: 2\n";
        Files.writeString(file(), mine);

        Ended refused = init();
        assertThat(refused.code()).isEqualTo(2);
        assertThat(Files.readString(file())).isEqualTo(mine);

        Ended unconfirmed = admin("init", index, "--file=" + file(), "--force", "--path-field=path");
        assertThat(unconfirmed.code()).isEqualTo(1);
        assertThat(unconfirmed.out()).contains(file() + " is not written; use --yes to write it");
        assertThat(Files.readString(file())).isEqualTo(mine);

        assertThat(init("--force").code()).isZero();
        assertThat(Files.readString(file())).startsWith("# mine\n").doesNotContain("ordering_depth");
    }

    @Test
    void proposes_the_whole_field_for_a_sub_field_and_the_given_names() {
        put("1", "{'key':'a-b','path':'/x/y'}");

        assertThat(init("--path-field=key.keyword", "--separator=-", "--namespace=mine")
                        .out())
                .contains("path field: key (text), separator \"-\", without a separator at the beginning");
        assertThat(defined().name()).isEqualTo("mine");
        assertThat(defined().fields().keyword()).isEqualTo("key.keyword");
    }

    @Test
    void reports_an_index_that_it_cannot_propose_a_definition_for() {
        assertThat(init())
                .isEqualTo(new Ended(
                        1,
                        "there is no index or alias " + index
                                + "; create the index with its mapping, or correct the name\n"));
        create("{'mappings':{'properties':{'path':{'type':'long'},'title':{'type':'keyword'}}}}");
        assertThat(init().out()).contains("no field of these documents looks like a path");
        put("1", "{'path':1,'title':'t'}");
        assertThat(init("--path-field=path"))
                .matches(ended -> ended.code() == 1)
                .extracting(Ended::out)
                .asString()
                .contains("the mapping of the field path (long) cannot be repaired in this index");
        assertThat(Files.exists(file())).isFalse();
        assertThat(init("--namespace=Upper").code()).isEqualTo(2);
    }
}
