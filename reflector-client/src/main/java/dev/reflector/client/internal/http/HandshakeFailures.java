package dev.reflector.client.internal.http;

import javax.net.ssl.SSLException;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Passes on the first failure of TLS on a connection, and without stack traces: Netty
 * reports each twice, and Reactor Netty logs each report with all of its traces.
 */
final class HandshakeFailures extends ChannelInboundHandlerAdapter {

	static final String NAME = "reflector.handshake-failures";

	private boolean told;

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
		if (TransportFailures.find(failure, SSLException.class) == null) {
			context.fireExceptionCaught(failure);
		}
		else if (!this.told) {
			this.told = true;
			TransportFailures.first(failure, (cause) -> {
				cause.setStackTrace(new StackTraceElement[0]);
				return false;
			});
			context.fireExceptionCaught(failure);
		}
	}

}
