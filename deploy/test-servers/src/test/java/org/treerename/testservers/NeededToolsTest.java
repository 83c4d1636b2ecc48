package org.treerename.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class NeededToolsTest {

    @Test
    void whatIsThereIsUsedUnlessItIsToBeDoneWithout() {
        assertThat(NeededTools.lacking("a test", new String[] {"sh"}, Set.of())).isEmpty();
        assertThat(NeededTools.lacking("a test", new String[] {"sh"}, Set.of("sh")))
                .contains("a test needs sh");
    }

    @Test
    void whatIsMissingFailsUnlessItIsNamed() {
        String[] tools = {"sh", "no-such-tool"};
        assertThatThrownBy(() -> NeededTools.lacking("a test", tools, Set.of("another")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a test needs no-such-tool")
                .hasMessageContaining("deploy/local/packages");
        assertThat(NeededTools.lacking("a test", tools, Set.of("no-such-tool"))).contains("a test needs no-such-tool");
    }
}
