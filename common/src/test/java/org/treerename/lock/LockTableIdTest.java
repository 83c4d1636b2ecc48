package org.treerename.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.treerename.path.TreePath;

class LockTableIdTest {

    /** Processes with different locales must use the same table for the same path. */
    @Test
    @ResourceLock(Resources.LOCALE)
    void the_name_of_a_table_is_the_same_in_every_locale() {
        TreePath path = new TreePath("/a/b");
        LockTable.Id here = LockTable.Id.of("files", path);
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

            assertThat(LockTable.Id.of("files", path)).isEqualTo(here);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void lists_the_table_of_every_path() {
        assertThat(LockTable.Id.all("files"))
                .hasSize(LockTable.BUCKETS + 1)
                .doesNotHaveDuplicates()
                .contains(LockTable.Id.of("files", TreePath.ROOT))
                .containsAll(IntStream.range(0, 1_000)
                        .mapToObj(i -> LockTable.Id.of("files", new TreePath("/first-" + i + "/second")))
                        .toList());
    }
}
