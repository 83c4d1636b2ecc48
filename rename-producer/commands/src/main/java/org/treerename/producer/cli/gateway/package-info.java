/**
 * The client of a gateway, for commands that have no access to Kafka and Elasticsearch. The package contains the
 * options of the client, its HTTP requests, and the problems that the gateway reports. The package contains the paths
 * of the gateway's API only as texts.
 */
@NullMarked
package org.treerename.producer.cli.gateway;

import org.jspecify.annotations.NullMarked;
