/**
 * The auto-configuration of Spring Boot: makes beans of the library from properties, and reports their health and their
 * metrics. No other module uses it.
 */
@NullMarked
package org.treerename.spring;

import org.jspecify.annotations.NullMarked;
