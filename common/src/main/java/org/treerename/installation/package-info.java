/**
 * The names that one installation has in Kafka and Elasticsearch. The names do not depend on renames, locks or servers.
 */
@NullMarked
package org.treerename.installation;

import org.jspecify.annotations.NullMarked;
