package org.treerename.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.runtime.Printable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * Prints all results as text for people or as JSON. The option {@code --output} selects the format. In JSON, a single
 * result is one object, and a list is one array. Commands print all text that is not part of a result, for example
 * progress, on standard error.
 */
public final class Output {

    /** The formats of a result. {@code TABLE} is text for people. */
    enum Format {
        TABLE,
        JSON;

        /** Converts the value of the option {@code --output}. */
        static final class Converter implements ITypeConverter<Format> {
            @Override
            public Format convert(String text) {
                return Arrays.stream(values())
                        .filter(format -> format.toString().equals(text))
                        .findFirst()
                        .orElseThrow(() -> new TypeConversionException("must be table or json, was '" + text + "'"));
            }
        }

        /** Returns the value of the option {@code --output} for this format. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            converter = Format.Converter.class,
            paramLabel = "FORMAT",
            description = "The format of the result: table (text for people) or json (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TABLE;

    /** Returns whether the result is text for people. */
    public boolean isForPeople() {
        return format == Format.TABLE;
    }

    /**
     * Prints one object. {@code lines} returns the text for people. This method makes each line {@linkplain Printable
     * printable}.
     */
    public void object(JsonNode json, Supplier<List<String>> lines) {
        switch (format) {
            case TABLE -> lines.get().forEach(line -> out().println(Printable.of(line)));
            case JSON -> out().println(text(json));
        }
    }

    /**
     * Prints an object that another program has published as JSON. In the format JSON, this method prints a text of one
     * line unchanged, except for unsafe characters.
     */
    public void published(String json, Supplier<String> line) {
        switch (format) {
            case TABLE -> out().println(Printable.of(line.get()));
            case JSON -> out().println(json.lines().count() > 1 ? text(parsed(json)) : Printable.of(json));
        }
    }

    /** Prints a line, such as a total, if the result is text for people. Otherwise prints nothing. */
    public void note(String line) {
        if (isForPeople()) {
            out().println(Printable.of(line));
        }
    }

    /** Begins a list. If there are column headers, the text for people is a table. Otherwise it consists of lines. */
    public Rows list(String... heads) {
        return new Rows(heads.length == 0 ? null : new Table(heads));
    }

    /** A list of objects, printed element by element. Only one thread calls this class. */
    public final class Rows {

        private final @Nullable Table table;
        private boolean hasElements;

        private Rows(@Nullable Table table) {
            this.table = table;
        }

        /**
         * Adds an element. The text for people is one row with these cells, or one line for each cell if the list has
         * no headers.
         */
        public void add(JsonNode json, Object... cells) {
            add(json, List.<Object[]>of(cells));
        }

        /** Adds an element whose text for people has several rows. */
        public void add(JsonNode json, List<Object[]> rows) {
            switch (format) {
                case TABLE -> rows.forEach(this::print);
                case JSON -> out().print((hasElements ? ",\n" : "[\n") + text(json));
            }
            hasElements = true;
        }

        private void print(Object... cells) {
            if (table == null) {
                Arrays.stream(cells).forEach(cell -> out().println(Printable.of(String.valueOf(cell))));
            } else {
                table.row(cells);
            }
        }

        /**
         * If the list is a table, prints the rows that were not printed before. The columns of later rows may be wider.
         */
        public void flush() {
            if (table != null) {
                table.printTo(out());
            }
            out().flush();
        }

        /**
         * Ends the list. A command that fails does not call this method. So a program that reads the JSON detects that
         * the list is incomplete.
         */
        public void end() {
            switch (format) {
                case TABLE -> flush();
                case JSON -> out().println(hasElements ? "\n]" : "[]");
            }
        }

        /** Ends the list. If the list is empty, also prints a message on standard error. */
        public void endOr(String message) {
            end();
            if (!hasElements) {
                CommandSpec own = Objects.requireNonNull(spec);
                own.commandLine().getErr().println(own.root().name() + ": " + message);
            }
        }
    }

    private static String text(JsonNode json) {
        return Printable.of(json.toString());
    }

    private static JsonNode parsed(String json) {
        try {
            return ResultJson.read(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("expected JSON, found " + json, e);
        }
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
