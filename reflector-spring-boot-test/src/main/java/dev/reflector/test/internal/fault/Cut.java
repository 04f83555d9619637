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
 * Breaks a request and its connection in several ways.
 */
public final class Cut {

	/**
	 * Delay before the connection is broken, so that the bytes that were written before
	 * are still sent.
	 */
	private static final Duration FLUSH = Duration.ofMillis(50);

	private Cut() {
	}

	/** Closes the connection. With HTTP/2, closes only the stream of the request. */
	public static void close(ServerExchange exchange) {
		exchange.channel().close();
	}

	/**
	 * Closes the connection. With HTTP/2, closes the whole connection with all its
	 * streams.
	 */
	public static void closeConnection(ServerExchange exchange) {
		Channel channel = exchange.channel();
		((channel instanceof Http2StreamChannel) ? channel.parent() : channel).close();
	}

	/**
	 * With HTTP/2, refuses the request (REFUSED_STREAM), and the connection stays open.
	 * With HTTP/1.1, closes the connection.
	 */
	public static void refuse(ServerExchange exchange) {
		if (exchange.channel() instanceof Http2StreamChannel stream) {
			stream.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
		}
		else {
			close(exchange);
		}
	}

	/** Closes the connection with a TCP reset. */
	public static void abort(ServerExchange exchange) {
		exchange.channel().config().setOption(ChannelOption.SO_LINGER, 0);
		close(exchange);
	}

	public static Mono<byte[]> soon(ServerExchange exchange, Consumer<ServerExchange> cut) {
		return Mono.delay(FLUSH, exchange.clock()).doOnNext((tick) -> cut.accept(exchange)).then(Mono.never());
	}

}
