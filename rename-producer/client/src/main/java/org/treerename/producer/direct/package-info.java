/**
 * Direct renames, without Kafka. The program that requests a rename runs the rename in its own process. If the process
 * dies, a janitor finishes a decided rename, and fails any other rename. The entry point is {@link
 * org.treerename.producer.direct.DirectRenames}.
 */
@NullMarked
package org.treerename.producer.direct;

import org.jspecify.annotations.NullMarked;
