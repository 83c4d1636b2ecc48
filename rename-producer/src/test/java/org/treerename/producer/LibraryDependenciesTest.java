package org.treerename.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The dependencies that a user of the library gets. Dependencies of the command line alone must be optional. */
class LibraryDependenciesTest {

    @Test
    void usersGetKafkasClientAndAJsonLibraryAndNoClientOfElasticsearch() throws Exception {
        assertThat(passedOn(Path.of("pom.xml"))).containsExactlyInAnyOrder("common", "kafka-clients");
        assertThat(passedOn(Path.of("..", "common", "pom.xml")))
                .containsExactlyInAnyOrder("jackson-databind", "slf4j-api", "kafka-clients");
    }

    /** Returns the dependencies that are neither optional nor only for tests. */
    private static List<String> passedOn(Path pom) throws Exception {
        NodeList all = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getElementsByTagName("dependency");
        List<String> passedOn = new ArrayList<>();
        for (int i = 0; i < all.getLength(); i++) {
            Element dependency = (Element) all.item(i);
            if (!text(dependency, "optional").equals("true")
                    && !text(dependency, "scope").equals("test")) {
                passedOn.add(text(dependency, "artifactId"));
            }
        }
        return passedOn;
    }

    private static String text(Element dependency, String name) {
        NodeList found = dependency.getElementsByTagName(name);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent();
    }
}
