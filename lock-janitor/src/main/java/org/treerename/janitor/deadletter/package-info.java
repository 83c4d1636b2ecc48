/**
 * The dead letters: reads them from Kafka, and decides which of them can be sent again. This package contains no
 * program.
 */
@NullMarked
package org.treerename.janitor.deadletter;

import org.jspecify.annotations.NullMarked;
