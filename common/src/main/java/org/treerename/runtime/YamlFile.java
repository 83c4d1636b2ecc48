package org.treerename.runtime;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A YAML file. The message of each problem contains the file, and the line if the line is known.
 *
 * @param kind the kind of the file, for messages
 */
public record YamlFile(Path path, String kind) {

    /**
     * Returns the content of the file; empty if the file is empty.
     *
     * @param notYaml the beginning of the message about a file that is not YAML
     * @throws IllegalArgumentException if the file cannot be read or is not YAML
     */
    public Optional<Node> root(String notYaml) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(path.toString())
                .setUseMarks(true)
                .build();
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            return new Compose(settings).composeReader(reader);
        } catch (MarkedYamlEngineException e) {
            throw new IllegalArgumentException(place(e.getProblemMark()) + notYaml + e.getProblem(), e);
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException(path + ": " + notYaml + e.getMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the " + kind + " " + path + ": " + e, e);
        }
    }

    /** Returns an exception whose message begins with the file and the line of a node. */
    public IllegalArgumentException problem(Node at, String message) {
        return new IllegalArgumentException(place(at.getStartMark()) + message);
    }

    private String place(Optional<Mark> mark) {
        return path + mark.map(at -> ", line " + (at.getLine() + 1)).orElse("") + ": ";
    }
}
