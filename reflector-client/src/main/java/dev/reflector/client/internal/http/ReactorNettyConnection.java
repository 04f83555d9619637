package dev.reflector.client.internal.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;
import reactor.netty.http.client.HttpClientRequest;

/**
 * Notices when the response to the current request begins. This handler stays in the
 * pipeline of an HTTP/1.1 connection.
 */
final class ReactorNettyConnection extends ChannelInboundHandlerAdapter {

	private static final String NAME = "reflector.answer";

	private volatile boolean answered;

	/**
	 * Called before a request is sent, to observe its response. Has no effect with
	 * HTTP/2, because the channel is then a stream that serves only one request.
	 */
	static void serve(HttpClientRequest request, Connection connection) {
		ChannelPipeline pipeline = connection.channel().pipeline();
		if (pipeline.get(NAME) instanceof ReactorNettyConnection kept) {
			kept.answered = false;
			ConnectionUse.kept(request.currentContextView(), () -> !kept.answered);
		}
		else if (pipeline.get(NettyPipeline.HttpCodec) != null) {
			pipeline.addBefore(NettyPipeline.HttpCodec, NAME, new ReactorNettyConnection());
		}
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		this.answered = true;
		context.fireChannelRead(message);
	}

}
