package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SpliceTest {

    @Test
    void a_page_becomes_a_bulk_request_in_which_only_the_path_fields_differ() throws Exception {
        String page = """
                {"took":1,"_shards":{"total":1},"hits":{"max_score":null,"hits":[
                {"_index":"i","_id":"1","_source":{"path":"/a","parent":"/","name":"a","more":{"path":"/a"}},"sort":[7]},
                {"_index":"i","_id":"2","_source":{"size":1.50,"path":"/a/ä","parent":"/a","name":"ä","x":["/a"]},"sort":[9]}]}}""";

        Splice splice = Splice.of(page.getBytes(StandardCharsets.UTF_8), old -> "/x/b" + old.substring(2));

        assertThat(new String(splice.lines(), StandardCharsets.UTF_8)).isEqualTo("""
                {"index":{"_id":"1"}}
                {"path":"/x/b","parent":"/x","name":"b","more":{"path":"/a"}}
                {"index":{"_id":"2"}}
                {"size":1.50,"path":"/x/b/ä","parent":"/x/b","name":"ä","x":["/a"]}
                """);
        assertThat(splice.documents()).isEqualTo(2);
        assertThat(splice.lastSort()).isEqualTo("[9]");
    }

    @Test
    void an_empty_page_gives_no_lines() throws Exception {
        Splice splice = Splice.of("{\"hits\":{\"hits\":[]}}".getBytes(StandardCharsets.UTF_8), old -> old);

        assertThat(splice.documents()).isZero();
        assertThat(splice.lines()).isEmpty();
    }
}
