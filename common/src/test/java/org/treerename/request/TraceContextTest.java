package org.treerename.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {

    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @Test
    void keeps_both_headers_unchanged() {
        assertThat(TraceContext.of(PARENT, "a=1,b=2")).contains(new TraceContext(PARENT, "a=1,b=2"));
        assertThat(TraceContext.of(PARENT, null)).contains(new TraceContext(PARENT, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                " 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-and-more"
            })
    void ignores_a_malformed_parent(String malformed) {
        assertThat(TraceContext.of(malformed, "a=1")).isEmpty();
    }

    @Test
    void has_no_trace_without_a_parent() {
        assertThat(TraceContext.of(null, "a=1")).isEmpty();
    }

    @Test
    void leaves_out_a_state_that_is_malformed_or_too_long() {
        TraceContext without = new TraceContext(PARENT, null);

        assertThat(TraceContext.of(PARENT, "")).contains(without);
        assertThat(TraceContext.of(PARENT, "a=\n")).contains(without);
        assertThat(TraceContext.of(PARENT, "x".repeat(TraceContext.LONGEST_STATE + 1)))
                .contains(without);
        assertThat(TraceContext.of(PARENT, "x".repeat(TraceContext.LONGEST_STATE)))
                .isNotEqualTo(without);
    }

    @Test
    void refuses_malformed_headers() {
        assertThatThrownBy(() -> new TraceContext("nonsense", null))
                .hasMessage("traceparent must have the format of a W3C traceparent, found nonsense");
        assertThatThrownBy(() -> new TraceContext(PARENT, "ä"))
                .hasMessage("tracestate must be 1 to 512 printable ASCII characters, found ä");
    }
}
