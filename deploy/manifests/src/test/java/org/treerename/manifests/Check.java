package org.treerename.manifests;

import java.util.List;

/** One thing that is to be so of all that an overlay makes. */
interface Check {

    /** Sentences for people; none where it is so. */
    List<String> problems(Manifests built);
}
