/** The worker: requests out of the log, renames run, outcomes into the log. Knows all rooms of common; only Main names Elasticsearch. */
@NullMarked
package org.treerename.worker;

import org.jspecify.annotations.NullMarked;
