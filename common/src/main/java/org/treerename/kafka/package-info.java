/**
 * Requests, outcomes, progress and dead letters as Kafka records. No record contains the name of a Java type.
 */
@NullMarked
package org.treerename.kafka;

import org.jspecify.annotations.NullMarked;
