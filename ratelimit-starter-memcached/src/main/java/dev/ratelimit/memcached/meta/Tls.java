package dev.ratelimit.memcached.meta;

import java.util.function.Supplier;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

/**
 * How connections are encrypted. Both are read for each connection, so what was reloaded
 * applies to connections opened from then on.
 *
 * @param sockets creates sockets over connected ones
 * @param parameters protocols and ciphers; the host of the certificate is always checked
 */
public record Tls(Supplier<SSLSocketFactory> sockets, Supplier<SSLParameters> parameters) {
}
