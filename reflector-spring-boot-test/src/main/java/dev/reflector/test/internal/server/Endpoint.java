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
 * A listening socket, with its connections and threads. Callers must ensure that only one
 * thread at a time starts or stops it.
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
	 * Creates an endpoint that listens.
	 * @param port the port, 0 for any port
	 * @param handler answers the requests
	 * @param access decides which clients may connect, and how
	 * @param faults decides which new connections are closed
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
			// the connection was accepted before shut(), but is registered only now, so
			// shut() has not closed it
			channel.close();
		}
	}

	int port() {
		return this.port;
	}

	/**
	 * Refuses new connections until the next call of {@link #listen()}.
	 */
	void refuseConnections() {
		this.server.disposeNow(PATIENCE);
	}

	/**
	 * Accepts connections on the same port as before. Does nothing if it accepts
	 * connections already.
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
	 * Asks HTTP/2 clients to send their next requests on new connections.
	 */
	void goAway() {
		this.channels.stream()
			.filter((channel) -> channel.pipeline().get(Http2FrameCodec.class) != null)
			.forEach((channel) -> channel.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR)));
	}

	/**
	 * Refuses new connections, and breaks all open connections.
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
