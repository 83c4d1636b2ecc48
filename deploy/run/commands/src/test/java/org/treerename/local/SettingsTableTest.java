package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.service.GeneratedTable;
import org.treerename.service.ServiceCommand;

/** Tests the table of all options, which is generated from the programs. */
class SettingsTableTest {

    private static final Path PAGE = ScriptFolder.repository().resolve("deploy/docs/settings.md");

    private static final Path NAMES =
            ScriptFolder.repository().resolve("common/src/main/resources/org/treerename/cli/settings.txt");

    private static OptionTable options() {
        OptionTable table = new OptionTable();
        table.add("worker", ServiceCommand.of(new org.treerename.worker.Main()));
        table.add("janitor", ServiceCommand.of(new org.treerename.janitor.Main()));
        table.add("gateway", ServiceCommand.of(new org.treerename.producer.http.Main()));
        table.add("`rename`", org.treerename.producer.cli.Main.commandLine());
        table.add("`rename-admin`", org.treerename.janitor.admin.Main.commandLine());
        return table;
    }

    /** Returns the rows of the table, generated from the options of the programs. */
    private static List<String> table() {
        List<String> rows = new ArrayList<>(List.of(
                "| option | environment | default | meaning | applies to |", "| --- | --- | --- | --- | --- |"));
        rows.addAll(options().rows());
        return rows;
    }

    @Test
    void the_page_has_every_option_with_its_default_meaning_and_programs() {
        List<String> table = table();

        assertThat(new GeneratedTable(PAGE).rows(table)).containsExactlyElementsOf(table);
    }

    /**
     * Each program reads this list, so that the program can ignore the settings of other programs in a configuration
     * file.
     */
    @Test
    void the_list_of_all_settings_has_every_option() throws IOException {
        List<String> names = options().names();
        if ("write".equals(System.getProperty("pages"))) {
            Files.write(NAMES, names);
        }

        assertThat(Files.readAllLines(NAMES)).containsExactlyElementsOf(names);
    }

    @Test
    void names_the_programs_of_an_option_and_separates_options_that_differ() {
        assertThat(table())
                .anyMatch(row -> row.startsWith("| `--lease` | `TREE_RENAME_LEASE` | `30s` |")
                        && row.endsWith("| worker, janitor |"))
                .anyMatch(row -> row.startsWith("| `--kafka-bootstrap-servers` | `KAFKA_BOOTSTRAP_SERVERS` | |")
                        && row.contains("| worker, janitor, gateway, `rename` (mv, ")
                        && row.contains("dlt replay"))
                .anyMatch(row -> row.startsWith("| `--context` | `TREE_RENAME_CONTEXT` | |")
                        && row.endsWith("| worker, janitor, gateway, `rename`, `rename-admin` |"))
                .anyMatch(row -> row.startsWith("| `--requested-by` ") && row.contains("| the user's name |"))
                .noneMatch(row -> row.contains("${") || row.contains("`--help`"));
    }
}
