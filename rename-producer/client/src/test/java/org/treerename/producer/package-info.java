/** Tests of the library. The unit tests use Kafka in memory; {@link PeerWorker} is for tests with a real Kafka. */
@NullMarked
package org.treerename.producer;

import org.jspecify.annotations.NullMarked;
