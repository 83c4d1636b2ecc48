/**
 * Elasticsearch and Kafka as child processes, out of Maven Central alone, and children of any kind that do not outlive
 * their parent. Knows nothing of renames.
 */
@NullMarked
package org.treerename.stack;

import org.jspecify.annotations.NullMarked;
