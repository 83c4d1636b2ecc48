/**
 * The client of a gateway, for commands that have no access to Kafka and Elasticsearch: its options, its HTTP requests,
 * and the problems that the gateway reports. The package knows the paths of the gateway's API only as texts.
 */
@NullMarked
package org.treerename.producer.cli.gateway;

import org.jspecify.annotations.NullMarked;
