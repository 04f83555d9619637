/**
 * Who may connect, and how: TLS, client certificates, tokens, and roles that are not read
 * yet. Connections and requests come in; they are secured, let pass or refused by an
 * {@code ApiFailure}. Writes kubeconfigs, too. Called by {@code server} on event loops,
 * and by tests that change certificates and tokens on their threads. Internal: public
 * only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.access;

import org.jspecify.annotations.NullMarked;
