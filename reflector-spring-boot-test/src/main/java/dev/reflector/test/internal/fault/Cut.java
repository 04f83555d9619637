package dev.reflector.test.internal.fault;

import java.time.Duration;
import java.util.function.Consumer;

import dev.reflector.test.internal.exchange.ServerExchange;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import reactor.core.publisher.Mono;

/**
 * Ways to break off a request and its connection.
 */
public final class Cut {

	/** Leaves time for what was sent before to leave the server. */
	private static final Duration FLUSH = Duration.ofMillis(50);

	private Cut() {
	}

	/** With HTTP/2 only the stream of the request. */
	public static void close(ServerExchange exchange) {
		exchange.channel().close();
	}

	/** With HTTP/2 with all streams. */
	public static void closeConnection(ServerExchange exchange) {
		Channel channel = exchange.channel();
		((channel instanceof Http2StreamChannel) ? channel.parent() : channel).close();
	}

	/** With HTTP/2 the request is refused unread, and the connection stays open. */
	public static void refuse(ServerExchange exchange) {
		if (exchange.channel() instanceof Http2StreamChannel stream) {
			stream.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
		}
		else {
			close(exchange);
		}
	}

	/** With a TCP reset. */
	public static void abort(ServerExchange exchange) {
		exchange.channel().config().setOption(ChannelOption.SO_LINGER, 0);
		close(exchange);
	}

	public static Mono<byte[]> soon(ServerExchange exchange, Consumer<ServerExchange> cut) {
		return Mono.delay(FLUSH, exchange.clock()).doOnNext((tick) -> cut.accept(exchange)).then(Mono.never());
	}

}
