/**
 * The names that one installation uses in Kafka and Elasticsearch. This package does not depend on renames, locks or
 * servers.
 */
@NullMarked
package org.treerename.installation;

import org.jspecify.annotations.NullMarked;
