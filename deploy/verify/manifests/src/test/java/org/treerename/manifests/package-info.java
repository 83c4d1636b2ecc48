/**
 * Tests that Kubernetes would accept the manifests of {@code deploy/run/kubernetes}, and that the manifests match the
 * services. The tests need no cluster and no network.
 */
@NullMarked
package org.treerename.manifests;

import org.jspecify.annotations.NullMarked;
