/** Requests and outcomes as Kafka records. Knows what a rename is; no Java type name leaves it. */
@NullMarked
package org.treerename.wire;

import org.jspecify.annotations.NullMarked;
