package dev.reflector.test.internal.access;

import java.util.List;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;

/**
 * An SSL context that uses, for each new connection, the current certificate of the
 * server and the current authority of client certificates.
 */
final class RotatingSslContext extends SslContext {

	private final Supplier<SslContext> current;

	RotatingSslContext(Supplier<SslContext> current) {
		this.current = current;
	}

	@Override
	public boolean isClient() {
		return false;
	}

	@Override
	public List<String> cipherSuites() {
		return this.current.get().cipherSuites();
	}

	@Override
	@SuppressWarnings("deprecation") // the abstract methods of the super class are
										// deprecated
	public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
		return this.current.get().applicationProtocolNegotiator();
	}

	@Override
	public SSLEngine newEngine(ByteBufAllocator allocator) {
		return this.current.get().newEngine(allocator);
	}

	@Override
	public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
		return this.current.get().newEngine(allocator, host, port);
	}

	@Override
	public SSLSessionContext sessionContext() {
		return this.current.get().sessionContext();
	}

}
