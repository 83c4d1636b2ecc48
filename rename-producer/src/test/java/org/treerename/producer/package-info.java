/** Tests of the library. Knows a Kafka in memory for units, and real ones for what is proved. */
@NullMarked
package org.treerename.producer;

import org.jspecify.annotations.NullMarked;
