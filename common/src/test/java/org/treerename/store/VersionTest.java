package org.treerename.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionTest {

    private final Version version = new Version(80, 2);

    @Test
    void within_one_term_the_higher_sequence_number_is_later() {
        assertThat(new Version(81, 2).isLaterThan(version)).isTrue();
        assertThat(version.isLaterThan(version)).isFalse();
        assertThat(new Version(79, 2).isLaterThan(version)).isFalse();
    }

    @Test
    void a_higher_term_is_later_whatever_the_sequence_number() {
        assertThat(new Version(80, 3).isLaterThan(version)).isTrue();
        assertThat(new Version(95, 1).isLaterThan(version)).isFalse();
    }
}
