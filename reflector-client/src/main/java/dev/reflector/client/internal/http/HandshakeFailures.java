package dev.reflector.client.internal.http;

import javax.net.ssl.SSLException;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Passes on only the first TLS failure of a connection, without stack traces: Netty
 * reports each failure twice, and Reactor Netty logs each report with all stack traces.
 */
final class HandshakeFailures extends ChannelInboundHandlerAdapter {

	static final String NAME = "reflector.handshake-failures";

	private boolean reported;

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
		if (Causes.find(failure, SSLException.class) == null) {
			context.fireExceptionCaught(failure);
		}
		else if (!this.reported) {
			this.reported = true;
			Causes.first(failure, (cause) -> {
				cause.setStackTrace(new StackTraceElement[0]);
				return false;
			});
			context.fireExceptionCaught(failure);
		}
	}

}
