package org.treerename.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.installation.Installation;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespaces;
import org.treerename.path.TreePath;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;

/**
 * Indexes a directory of this machine in Elasticsearch, and defines the namespace. Only one thread calls this class.
 */
final class TreeIndexing {

    private static final Duration REQUEST = Duration.ofSeconds(30);
    private static final int YEARS_OF_FOUR_DIGITS = 10_000;

    /**
     * The directory to index, and its place in the tree.
     *
     * @param folder the directory on this machine
     * @param at the paths in the tree below which the entries are indexed, one copy for each path
     * @param limit the largest number of documents for each path
     */
    record Job(java.nio.file.Path folder, List<TreePath> at, long limit, String namespace) {
        Job {
            at = List.copyOf(at);
        }

        Namespace definition() {
            return Namespace.ofFiles(namespace, namespace);
        }
    }

    /**
     * The result of the indexing.
     *
     * @param tally the counts of the entries, added up over all paths
     * @param above the number of directories that were created above the entries
     * @param withContents the number of documents with the contents of a file
     * @param taken the time that the indexing took
     */
    record Indexed(Tally tally, long above, long withContents, Duration taken) {

        long documents() {
            return tally.documents() + above;
        }
    }

    private final Job job;
    private final FileIndex index;
    private final String url;
    private final Installation installation;
    private final Time time = new SystemTime();
    private long withContents;

    /** @param installation the installation in which the namespace is defined */
    TreeIndexing(Job job, ElasticsearchHttp http, String url, Installation installation) {
        this.installation = installation;
        this.job = job;
        this.index = new FileIndex(http, job.namespace());
        this.url = url;
    }

    /**
     * Indexes the directory.
     *
     * @throws IllegalArgumentException if a path has a document already, or if the namespace has a different
     *     definition; in these cases, no document was written
     */
    Indexed run() {
        long begun = time.nanos();
        try (Elastic elastic = Elastic.connect(Elastic.Settings.of(url, REQUEST).in(installation))) {
            ControlIndex control = new ControlIndex(elastic);
            control.create();
            Namespaces namespaces = new ElasticNamespaces(elastic, control);
            requireSame(namespaces.find(job.namespace()));
            Plan plan = plan();
            Tally tally = write(plan);
            index.refresh();
            namespaces.define(job.definition());
            return new Indexed(tally, plan.above().size(), withContents, Duration.ofNanos(time.nanos() - begun));
        }
    }

    private void requireSame(Optional<Namespace> defined) {
        if (defined.isPresent() && !defined.get().equals(job.definition())) {
            throw new IllegalArgumentException("the namespace " + job.namespace() + " already has another definition: "
                    + defined.get() + ". No document was written; choose another name with --namespace");
        }
    }

    /**
     * The result of the first walk, which writes no documents.
     *
     * @param total the number of documents
     * @param above the directories that must be created first, parents before children
     */
    private record Plan(long total, Set<TreePath> above) {}

    private Plan plan() {
        index.create();
        index.refresh();
        Set<TreePath> needed = new LinkedHashSet<>();
        for (TreePath at : job.at()) {
            needed.addAll(at.properAncestors());
            if (!at.isRoot()) {
                needed.add(at);
            }
        }
        Map<TreePath, String> existing = index.typesAt(needed);
        existing.forEach((path, type) -> {
            if (!type.equals("directory")) {
                throw new IllegalArgumentException("expected the type directory of " + path + " in the index "
                        + job.namespace() + ", found " + type + ": choose another place with --at");
            }
        });
        needed.removeAll(existing.keySet());
        long total = 0;
        Set<TreePath> tops = new HashSet<>();
        for (TreePath at : job.at()) {
            total += Walk.over(job.folder(), at, job.limit(), found -> {
                        if (found.at().parent().equals(at)) {
                            tops.add(found.at());
                        }
                    })
                    .documents();
        }
        index.requireFree(tops);
        return new Plan(total, needed);
    }

    private Tally write(Plan plan) {
        BulkWriter writer = index.writer();
        Tally tally = new Tally();
        plan.above().forEach(path -> writer.create(newId(), document(path, true, 0, Instant.EPOCH)));
        try (TerminalBar bar = TerminalBar.of("indexing", plan.total())) {
            for (TreePath at : job.at()) {
                tally.add(Walk.over(job.folder(), at, job.limit(), found -> {
                    writer.create(newId(), document(found));
                    bar.step();
                }));
            }
            writer.flush();
        }
        return tally;
    }

    private ObjectNode document(Walk.Found found) {
        ObjectNode document = document(
                found.at(),
                found.isDirectory(),
                found.isDirectory() ? 0 : found.attributes().size(),
                found.attributes().lastModifiedTime().toInstant());
        if (!found.isDirectory()) {
            contents(found).ifPresent(text -> {
                document.put("contents", text);
                withContents++;
            });
        }
        return document;
    }

    private static ObjectNode document(TreePath at, boolean directory, long size, Instant modified) {
        ObjectNode document = ElasticsearchHttp.MAPPER
                .createObjectNode()
                .put("path", at.text())
                .put("parent", at.parent().text())
                .put("name", at.name())
                .put("type", directory ? "directory" : "file")
                .put("size", size);
        long years = modified.getEpochSecond() / Duration.ofDays(366).toSeconds();
        return years >= 0 && years < YEARS_OF_FOUR_DIGITS - 1970
                ? document.put("modified", modified.toString())
                : document;
    }

    /** Returns empty if the file is not text or cannot be read. */
    private static Optional<String> contents(Walk.Found found) {
        try {
            return TextHead.of(found.file());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }
}
