package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;

class PagesTest {

    private static Pages.File index(Installation installation) {
        return new Pages(installation).named(Pages.INDEX).orElseThrow();
    }

    @Test
    void the_page_names_the_installation() {
        assertThat(index(new Installation("blue")).text())
                .contains("<title>tree rename blue: console</title>", "<span id=\"name\">tree rename blue</span>");
        assertThat(index(Installation.DEFAULT).text())
                .contains("<title>tree rename: console</title>", "<span id=\"name\">tree rename</span>")
                .doesNotContain("{installation}");
    }

    @Test
    void the_pages_of_two_installations_have_different_tags() {
        assertThat(index(new Installation("blue")).tag())
                .isNotEqualTo(index(Installation.DEFAULT).tag());
    }
}
