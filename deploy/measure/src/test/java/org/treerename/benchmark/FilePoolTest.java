package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.treerename.benchmark.FilePool.File;

class FilePoolTest {

    private static final File FILE = new File("7", "/top-1/files/file-2.txt");

    @Test
    void a_file_is_renamed_back_and_forth_within_its_directory() {
        File there = FILE.renamed();

        assertThat(there).isEqualTo(new File("7", "/top-1/files/file-2.txt-renamed"));
        assertThat(there.renamed()).isEqualTo(FILE);
    }

    @Test
    void the_update_of_a_file_contains_all_path_fields() throws Exception {
        assertThat(Es.JSON.readTree(FILE.update()).path("doc"))
                .isEqualTo(Es.JSON
                        .createObjectNode()
                        .put("path", "/top-1/files/file-2.txt-renamed")
                        .put("parent", "/top-1/files")
                        .put("name", "file-2.txt-renamed"));
    }
}
