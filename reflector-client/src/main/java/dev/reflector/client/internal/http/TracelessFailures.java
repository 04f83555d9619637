package dev.reflector.client.internal.http;

import javax.net.ssl.SSLException;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResultProvider;

/**
 * Removes the stack traces from the failures of a connection, and passes on only the
 * first TLS failure. Netty reports each TLS failure twice, and Reactor Netty logs each
 * report with all stack traces. These contain only code of Netty.
 */
final class TracelessFailures extends ChannelInboundHandlerAdapter {

	static final String NAME = "reflector.traceless-failures";

	private static final StackTraceElement[] NO_TRACE = {};

	private boolean reported;

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
		withoutTraces(failure);
		if (Causes.find(failure, SSLException.class) != null) {
			if (this.reported) {
				return;
			}
			this.reported = true;
		}
		context.fireExceptionCaught(failure);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (message instanceof DecoderResultProvider decoded && decoded.decoderResult().isFailure()) {
			withoutTraces(decoded.decoderResult().cause());
		}
		context.fireChannelRead(message);
	}

	private static void withoutTraces(Throwable failure) {
		Causes.first(failure, (cause) -> {
			cause.setStackTrace(NO_TRACE);
			for (Throwable suppressed : cause.getSuppressed()) {
				suppressed.setStackTrace(NO_TRACE);
			}
			return false;
		});
	}

}
