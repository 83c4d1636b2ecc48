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
    void root_goes_into_a_user_namespace_where_there_are_any() {
        assertThat(Unprivileged.wrapper(true, command -> true)).isEqualTo(Unprivileged.USER_NAMESPACE);
    }

    @Test
    void root_becomes_nobody_where_user_namespaces_are_off() {
        assertThat(Unprivileged.wrapper(true, command -> command.getFirst().equals("setpriv")))
                .isEqualTo(Unprivileged.NOBODY);
    }

    @Test
    void root_is_told_when_neither_works() {
        assertThatThrownBy(() -> Unprivileged.wrapper(true, command -> false))
                .hasMessageContaining("refuses to run as root")
                .hasMessageContaining("start this as another user");
    }
}
