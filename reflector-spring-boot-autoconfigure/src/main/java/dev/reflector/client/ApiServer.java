package dev.reflector.client;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * Placeholder.
 *
 * @param url url
 * @param sslBundle bundle
 * @param token token
 * @param origin origin
 */
public record ApiServer(URI url, @Nullable SslBundle sslBundle, TokenSource token, String origin) {

}
