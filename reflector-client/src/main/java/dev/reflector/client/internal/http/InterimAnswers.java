package dev.reflector.client.internal.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Skips interim responses, such as 103 (RFC 9110, section 15.2). Reactor Netty supports
 * only 100, and treats any other interim response as the final response. A 101 is not
 * skipped, because it switches to a protocol other than HTTP.
 */
final class InterimAnswers extends ChannelInboundHandlerAdapter {

	static final String NAME = "reflector.interimAnswers";

	/** Whether an interim response has begun whose end has not arrived yet. */
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
			// the reader still waits for the final response
			context.read();
		}
	}

	private static boolean isInterim(int code) {
		return code > 101 && code < 200;
	}

}
