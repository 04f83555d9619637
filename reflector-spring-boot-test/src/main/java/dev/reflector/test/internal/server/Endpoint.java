package dev.reflector.test.internal.server;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.test.internal.access.ServerAccess;
import dev.reflector.test.internal.fault.FaultScript;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/**
 * A socket that listens, with its connections and threads. Callers see to it that one of
 * them at a time has it listen or stop.
 */
public final class Endpoint {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final LeavingClients LEAVING_CLIENTS = new LeavingClients();

	private final LoopResources loops = LoopResources.create("embedded-api-server", 1, 2, true);

	private final Set<Channel> channels = ConcurrentHashMap.newKeySet();

	private final ServerAccess access;

	private final FaultScript faults;

	private final HttpServer description;

	private final int port;

	private DisposableServer server;

	private volatile boolean open = true;

	/**
	 * Begins to listen.
	 * @param port the port, 0 for any
	 * @param handler answers the requests
	 * @param access who may connect, and how
	 * @param faults says who is turned away
	 */
	public Endpoint(int port, ApiHandler handler, ServerAccess access, FaultScript faults) {
		this.access = access;
		this.faults = faults;
		try {
			this.description = access.negotiate(HttpServer.create())
				.host(ServerAccess.HOST)
				.runOn(this.loops, false)
				.httpRequestDecoder((decoder) -> decoder.maxInitialLineLength(64 * 1024))
				.doOnChannelInit((observer, channel, address) -> connected(channel))
				.handle(handler);
			this.server = this.description.port(port).bindNow(PATIENCE);
			this.port = this.server.port();
		}
		catch (RuntimeException ex) {
			endThreads();
			throw ex;
		}
	}

	private void connected(Channel channel) {
		if (this.faults.turnsAway()) {
			channel.close();
			return;
		}
		this.channels.add(channel);
		this.access.secure(channel);
		channel.pipeline().addFirst(LEAVING_CLIENTS);
		channel.closeFuture().addListener((closed) -> this.channels.remove(channel));
		if (!this.open) {
			// accepted before the end and registered after it: nothing else closes it
			channel.close();
		}
	}

	int port() {
		return this.port;
	}

	/**
	 * Refuses new connections, until the next {@link #listen()}.
	 */
	void deafen() {
		this.server.disposeNow(PATIENCE);
	}

	/**
	 * Takes connections on the same port as before. Does nothing when it does so already.
	 */
	void listen() {
		if (this.server.isDisposed()) {
			this.server = this.description.port(this.port).bindNow(PATIENCE);
		}
	}

	int connections() {
		return this.channels.size();
	}

	/**
	 * Asks the clients of HTTP/2 to send their next requests elsewhere.
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
		this.open = false;
		this.server.disposeNow(PATIENCE);
		this.channels.forEach(Channel::close);
	}

	void endThreads() {
		this.loops.disposeLater(Duration.ZERO, PATIENCE).block(PATIENCE);
	}

}
