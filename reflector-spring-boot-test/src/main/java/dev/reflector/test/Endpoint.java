package dev.reflector.test;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/**
 * A socket that listens, with its connections and threads.
 */
final class Endpoint {

	static final String HOST = "127.0.0.1";

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final LoopResources loops = LoopResources.create("embedded-api-server", 1, 2, true);

	private final Set<Channel> channels = ConcurrentHashMap.newKeySet();

	private final ServerAccess access;

	private final DisposableServer server;

	private volatile boolean listening = true;

	/**
	 * Begins to listen.
	 * @param port the port, 0 for any
	 * @param handler answers the requests
	 * @param access who may connect, and how
	 */
	Endpoint(int port, ApiHandler handler, ServerAccess access) {
		this.access = access;
		try {
			this.server = access.negotiate(HttpServer.create())
				.host(HOST)
				.port(port)
				.runOn(this.loops, false)
				.httpRequestDecoder((decoder) -> decoder.maxInitialLineLength(64 * 1024))
				.doOnChannelInit((observer, channel, address) -> connected(channel))
				.handle(handler)
				.bindNow(PATIENCE);
		}
		catch (RuntimeException ex) {
			endThreads();
			throw ex;
		}
	}

	private void connected(Channel channel) {
		this.channels.add(channel);
		this.access.secure(channel);
		channel.closeFuture().addListener((closed) -> this.channels.remove(channel));
		if (!this.listening) {
			// accepted before the end and registered after it: nobody else closes it
			channel.close();
		}
	}

	int port() {
		return this.server.port();
	}

	int connections() {
		return this.channels.size();
	}

	/**
	 * Tells the clients of HTTP/2 to go elsewhere with what they ask for next.
	 */
	void goAway() {
		this.channels.stream()
			.filter((channel) -> channel.pipeline().get(Http2FrameCodec.class) != null)
			.forEach((channel) -> channel.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR)));
	}

	/**
	 * Refuses new connections and breaks off the open ones.
	 */
	void shut() {
		this.listening = false;
		this.server.disposeNow(PATIENCE);
		this.channels.forEach(Channel::close);
	}

	void endThreads() {
		this.loops.disposeLater(Duration.ZERO, PATIENCE).block(PATIENCE);
	}

}
