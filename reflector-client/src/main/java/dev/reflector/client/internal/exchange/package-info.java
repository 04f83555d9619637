/**
 * One request and its answer: URL, headers, token, format, compression, failure. Public
 * only because Java needs it.
 */
@NullMarked
package dev.reflector.client.internal.exchange;

import org.jspecify.annotations.NullMarked;
