package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PageSizeTest {

    private final PageSize size = new PageSize(5_000);

    @Test
    void begins_with_small_pages_and_enlarges_them() {
        assertThat(size.within(1_000_000)).isEqualTo(500);
        size.saw(500, 500 * 100);
        assertThat(size.within(1_000_000)).isEqualTo(5_000);
        size.saw(5_000, 5_000 * 100);
        assertThat(size.within(1_000_000)).isEqualTo(5_000);
    }

    @Test
    void the_first_page_is_not_larger_than_the_granted_bytes() {
        assertThat(size.within(64 * 1024)).isEqualTo(128);
    }

    @Test
    void no_page_has_more_documents_than_the_limit() {
        assertThat(new PageSize(10).within(1_000_000)).isEqualTo(10);
    }

    @Test
    void a_page_has_as_many_documents_as_are_likely_to_fit_and_at_least_one() {
        size.saw(500, 500 * 1_000);

        assertThat(size.within(100_000)).isEqualTo(100);
        assertThat(size.within(10)).isEqualTo(1);
    }

    @Test
    void reduces_a_page_that_was_too_large_down_to_one_document() {
        assertThat(size.tooLarge(500)).isTrue();
        assertThat(size.within(1_000_000)).isEqualTo(125);
        assertThat(size.tooLarge(3)).isTrue();
        assertThat(size.within(1_000_000)).isEqualTo(1);
        assertThat(size.tooLarge(1)).isFalse();
    }

    @Test
    void an_empty_page_does_not_change_the_size() {
        size.saw(0, 0);

        assertThat(size.within(1_000_000)).isEqualTo(500);
    }
}
