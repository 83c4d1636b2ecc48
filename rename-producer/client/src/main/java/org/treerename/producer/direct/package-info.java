/**
 * Renames without Kafka. The program that requests a rename runs it in its own process. If the process dies, a janitor
 * finishes the rename or ends it. The entry point is {@link org.treerename.producer.direct.DirectRenames}.
 */
@NullMarked
package org.treerename.producer.direct;

import org.jspecify.annotations.NullMarked;
