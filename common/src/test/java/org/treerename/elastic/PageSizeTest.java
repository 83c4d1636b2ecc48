package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PageSizeTest {

    private final PageSize size = new PageSize(5_000);

    @Test
    void a_scan_begins_with_small_pages_and_becomes_faster() {
        assertThat(size.within(1_000_000)).isEqualTo(500);
        size.saw(500, 500 * 100);
        assertThat(size.within(1_000_000)).isEqualTo(5_000);
        size.saw(5_000, 5_000 * 100);
        assertThat(size.within(1_000_000)).isEqualTo(5_000);
    }

    @Test
    void the_first_page_is_no_larger_than_what_may_be_taken() {
        assertThat(size.within(64 * 1024)).isEqualTo(128);
    }

    @Test
    void no_page_has_more_documents_than_it_may() {
        assertThat(new PageSize(10).within(1_000_000)).isEqualTo(10);
    }

    @Test
    void a_page_has_as_many_documents_as_are_likely_to_fit_and_at_least_one() {
        size.saw(500, 500 * 1_000);

        assertThat(size.within(100_000)).isEqualTo(100);
        assertThat(size.within(10)).isEqualTo(1);
    }

    @Test
    void what_was_too_large_is_asked_for_in_smaller_parts_down_to_one() {
        assertThat(size.tooLarge(500)).isTrue();
        assertThat(size.within(1_000_000)).isEqualTo(125);
        assertThat(size.tooLarge(3)).isTrue();
        assertThat(size.within(1_000_000)).isEqualTo(1);
        assertThat(size.tooLarge(1)).isFalse();
    }

    @Test
    void an_empty_page_says_nothing_of_the_documents() {
        size.saw(0, 0);

        assertThat(size.within(1_000_000)).isEqualTo(500);
    }
}
