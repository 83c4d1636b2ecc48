/**
 * The gateway: it accepts renames over HTTP and reports their progress. It sends the requests to Kafka, and reads the
 * progress from the journal. The gateway stores nothing itself, so any number of gateways may run.
 */
@NullMarked
package org.treerename.producer.http;

import org.jspecify.annotations.NullMarked;
