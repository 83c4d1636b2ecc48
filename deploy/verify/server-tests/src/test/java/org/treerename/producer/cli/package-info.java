/** Tests of the producer's command line as a separate process. */
@NullMarked
package org.treerename.producer.cli;

import org.jspecify.annotations.NullMarked;
