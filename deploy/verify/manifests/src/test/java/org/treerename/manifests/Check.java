package org.treerename.manifests;

import java.util.List;

/** One requirement on all manifests of an overlay. */
interface Check {

    /**
     * Returns a message for each violation of the requirement. The list is empty if the manifests meet the requirement.
     */
    List<String> problems(Manifests built);
}
