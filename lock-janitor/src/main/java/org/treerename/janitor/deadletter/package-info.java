/** Reads the dead letters from Kafka, and decides which of them can be sent again. */
@NullMarked
package org.treerename.janitor.deadletter;

import org.jspecify.annotations.NullMarked;
