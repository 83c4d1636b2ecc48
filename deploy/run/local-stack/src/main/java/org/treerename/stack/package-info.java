/**
 * Starts Elasticsearch and Kafka as child processes. The programs of both servers come only from artifacts of Maven
 * Central. All child processes of this package end with their parent. This package does not depend on the code of
 * renames.
 */
@NullMarked
package org.treerename.stack;

import org.jspecify.annotations.NullMarked;
