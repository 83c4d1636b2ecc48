/** Whether alerts, dashboard and runbook fit together, and what the services show. */
@NullMarked
package org.treerename.monitoring;

import org.jspecify.annotations.NullMarked;
