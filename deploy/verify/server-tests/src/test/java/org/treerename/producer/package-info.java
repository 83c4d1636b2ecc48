/** Tests of the library on a real Kafka. */
@NullMarked
package org.treerename.producer;

import org.jspecify.annotations.NullMarked;
