/**
 * The auto-configuration for Spring Boot. This package creates beans of the library from properties, and reports the
 * health and the metrics of these beans. No other module uses this package.
 */
@NullMarked
package org.treerename.spring;

import org.jspecify.annotations.NullMarked;
