/** Tests that alerts, dashboard and runbook match each other and the metrics of the services. */
@NullMarked
package org.treerename.monitoring;

import org.jspecify.annotations.NullMarked;
