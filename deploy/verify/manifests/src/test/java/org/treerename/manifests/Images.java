package org.treerename.manifests;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Requires that the build makes the image of every container, and that the tag of the image is the version of the
 * project.
 */
final class Images implements Check {

    private static final Pattern TARGET = Pattern.compile("(?m)^FROM \\S+ AS (\\w+)$");

    private final Set<String> made;
    private final String version;

    /**
     * @param dockerfile the text of the Dockerfile, which has one target for each image
     * @param version the version of the project, which must be the tag of each image
     */
    Images(String dockerfile, String version) {
        this.version = version;
        this.made = TARGET.matcher(dockerfile)
                .results()
                .map(target -> "tree-rename/" + target.group(1))
                .collect(Collectors.toSet());
    }

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest deployment : Services.deployments(built)) {
            deployment.containers().forEach(container -> {
                String[] image =
                        withoutRegistry(container.path("image").asText()).split(":", 2);
                if (!made.contains(image[0])) {
                    problems.add(deployment + ": the build makes no image " + image[0]);
                }
                if (!image[0].equals("tree-rename/" + container.path("name").asText())) {
                    problems.add(deployment + " runs " + image[0] + " under another name");
                }
                if (image.length == 1 || !image[1].equals(version)) {
                    problems.add(deployment + ": " + image[0] + " is not of the version " + version);
                }
            });
        }
        return problems;
    }

    private static String withoutRegistry(String image) {
        return image.replaceFirst("^[^/]+\\.[^/]+/(?=tree-rename/)", "");
    }
}
