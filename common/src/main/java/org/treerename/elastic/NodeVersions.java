package org.treerename.elastic;

import java.util.Set;
import java.util.TreeSet;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Reads the versions of the nodes for one client. Since version 9.2, Elasticsearch omits vectors from documents unless
 * a request contains {@code exclude_vectors: false}. Versions before 9.2 refuse this parameter. So a client that reads
 * whole documents must know whether it may send the parameter. If the client read a document without its vectors, the
 * next write of the document would delete the vectors.
 *
 * <p>A client sends the parameter unless it has found a version before 9.2. A client that has found such a version
 * reads the versions again before each read of documents, because Elasticsearch may have been updated. So an update of
 * Elasticsearch loses no vectors: an index omits vectors only if the index was created after the update. Any thread may
 * call this class.
 */
final class NodeVersions {

    private static final String FILTER = "?filter_path=nodes.*.version";

    private volatile boolean areOld;

    /**
     * Reads the versions of all nodes. Without the cluster privilege {@code monitor}, this method reads only the
     * versions of the nodes with shards of the control index.
     *
     * @return the versions; empty if this process lacks the privilege to read the versions
     * @throws NoAnswerException if Elasticsearch does not answer
     */
    Set<String> read(Elastic elastic) {
        Set<String> versions = at("/_nodes" + FILTER, elastic);
        if (versions.isEmpty()) {
            versions = at("/" + elastic.installation().controlIndex() + "/_search_shards" + FILTER, elastic);
        }
        if (!versions.isEmpty()) {
            areOld = VersionSupport.anyRefusesExcludeVectors(versions);
        }
        return versions;
    }

    private static Set<String> at(String path, Elastic elastic) {
        Set<String> versions = new TreeSet<>();
        try {
            elastic.raw()
                    .get(path)
                    .json()
                    .path("nodes")
                    .forEach(node -> versions.add(node.path("version").asText()));
        } catch (RefusedException e) {
            // this process lacks the privilege to read the versions
        }
        return versions;
    }

    /** Returns whether a request for whole documents must contain {@code exclude_vectors: false}. */
    boolean knowExcludeVectors(Elastic elastic) {
        if (areOld) {
            var unused = read(elastic);
        }
        return !areOld;
    }
}
