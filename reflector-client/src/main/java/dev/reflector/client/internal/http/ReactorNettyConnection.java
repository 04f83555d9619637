package dev.reflector.client.internal.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;
import reactor.netty.http.client.HttpClientRequest;

/**
 * Stands in a connection of HTTP/1.1 from its first request on, and sees when the answer
 * to the present request begins.
 */
final class ReactorNettyConnection extends ChannelInboundHandlerAdapter {

	private static final String NAME = "reflector.answer";

	private volatile boolean answered;

	/**
	 * A request is about to be sent. With HTTP/2 the channel is the stream, which serves
	 * no other request.
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
