package dev.reflector.test.internal.server;

import java.io.IOException;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2FrameCodec;

/**
 * Suppresses the exception that occurs when an HTTP/2 client resets its connection,
 * because Netty would log it. The channel is closed anyway, which ends its requests.
 */
@ChannelHandler.Sharable
final class LeavingClients extends ChannelInboundHandlerAdapter {

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		boolean reset = cause instanceof IOException && context.pipeline().get(Http2FrameCodec.class) != null;
		if (!reset) {
			context.fireExceptionCaught(cause);
		}
	}

}
