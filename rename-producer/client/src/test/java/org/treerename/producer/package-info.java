/**
 * Tests of the library. The unit tests use {@link InMemoryKafka}. Tests with a real Kafka server use {@link
 * PeerWorker}.
 */
@NullMarked
package org.treerename.producer;

import org.jspecify.annotations.NullMarked;
