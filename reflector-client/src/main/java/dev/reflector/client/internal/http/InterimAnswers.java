package dev.reflector.client.internal.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Passes over answers that come before the answer proper, such as 103 (RFC 9110, 15.2):
 * Reactor Netty knows 100 only, and takes another one for the answer. 101 ends HTTP, so
 * it is none of them.
 */
final class InterimAnswers extends ChannelInboundHandlerAdapter {

	static final String NAME = "reflector.interimAnswers";

	/** Whether the end of such an answer has not come yet. */
	private boolean passing;

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
		if (message instanceof HttpResponse response) {
			this.passing = isInterim(response.status().code());
		}
		if (!this.passing) {
			context.fireChannelRead(message);
			return;
		}
		this.passing = !(message instanceof LastHttpContent);
		ReferenceCountUtil.release(message);
		if (!this.passing && !context.channel().config().isAutoRead()) {
			// who has asked to read waits for the answer
			context.read();
		}
	}

	private static boolean isInterim(int code) {
		return code > 101 && code < 200;
	}

}
