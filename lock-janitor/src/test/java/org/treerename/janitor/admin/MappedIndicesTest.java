package org.treerename.janitor.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;

final class MappedIndicesTest {

    private static MappedIndices indices() throws Exception {
        return new MappedIndices(new JsonMapper().readTree("""
                {
                  "a": {
                    "mappings": {"properties": {
                      "path": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
                      "size": {"type": "long"}
                    }},
                    "settings": {"index": {"default_pipeline": "_none"}}
                  },
                  "b": {
                    "mappings": {"properties": {"path": {"type": "keyword"}}},
                    "settings": {"index": {"default_pipeline": "lowercase"}}
                  }
                }"""));
    }

    @Test
    void a_field_may_contain_paths_if_every_index_maps_it_as_a_text_or_not_at_all() throws Exception {
        assertThat(indices().mayBePath("path")).isTrue();
        assertThat(indices().mayBePath("other")).isTrue();
        assertThat(indices().mayBePath("size")).isFalse();
    }

    @Test
    void names_the_field_of_a_sub_field() throws Exception {
        assertThat(indices().wholeField("path.raw")).isEqualTo("path");
        assertThat(indices().wholeField("path")).isEqualTo("path");
    }

    @Test
    void names_each_type_of_a_field_once() throws Exception {
        assertThat(indices().types("path")).isEqualTo("text, keyword");
        assertThat(indices().types("size")).isEqualTo("long, not mapped");
    }

    @Test
    void reports_the_default_pipeline_of_an_index() throws Exception {
        assertThat(indices().hasDefaultPipeline("a")).isFalse();
        assertThat(indices().hasDefaultPipeline("b")).isTrue();
    }
}
