/**
 * The client of a gateway, for commands that have no access to Kafka or Elasticsearch. The package contains the options
 * and the HTTP requests of the client, and the problems that the gateway reports. The package does not depend on
 * classes of the gateway.
 */
@NullMarked
package org.treerename.producer.cli.gateway;

import org.jspecify.annotations.NullMarked;
