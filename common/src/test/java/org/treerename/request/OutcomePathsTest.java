package org.treerename.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.treerename.path.TreePath;
import org.treerename.request.Outcome.Paths;
import org.treerename.request.ParsedRequest.RenameRequest;

class OutcomePathsTest {

    private static final String LONGEST = "/" + "a".repeat(TreePath.MAX_CODE_POINTS - 1);

    private static RenameRequest request(String source) {
        return new RenameRequest("r1", "files", source, "/b", OnExisting.FAIL, null);
    }

    @Test
    void contains_the_paths_of_the_request() {
        assertThat(Paths.of(request("/a"))).isEqualTo(new Paths("files", "/a", "/b"));
        assertThat(Paths.of(request(LONGEST))).isEqualTo(new Paths("files", LONGEST, "/b"));
    }

    @Test
    void is_absent_without_a_usable_request() {
        assertThat(Paths.of(null)).isNull();
        assertThat(Paths.of(request(LONGEST + "a"))).isNull();
        assertThat(Paths.of(request("/\uD800"))).isNull();
    }
}
