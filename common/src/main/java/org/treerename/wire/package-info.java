/**
 * Requests, outcomes, progress and dead letters as Kafka records. The package depends on the package {@code rename}. No
 * record contains the name of a Java type.
 */
@NullMarked
package org.treerename.wire;

import org.jspecify.annotations.NullMarked;
