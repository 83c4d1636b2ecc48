package org.treerename.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class UnprivilegedTest {
    @Test
    void a_user_who_is_not_root_needs_no_wrapper() {
        assertThat(Unprivileged.wrapper(false, command -> true)).isEmpty();
    }

    @Test
    void root_uses_a_user_namespace_if_they_are_enabled() {
        assertThat(Unprivileged.wrapper(true, command -> true)).isEqualTo(Unprivileged.USER_NAMESPACE);
    }

    @Test
    void root_becomes_the_user_nobody_if_user_namespaces_are_disabled() {
        assertThat(Unprivileged.wrapper(true, command -> command.getFirst().equals("setpriv")))
                .isEqualTo(Unprivileged.NOBODY);
    }

    @Test
    void root_gets_an_error_if_neither_works() {
        assertThatThrownBy(() -> Unprivileged.wrapper(true, command -> false))
                .hasMessageContaining("refuses to run as root")
                .hasMessageContaining("run this program as another user");
    }
}
