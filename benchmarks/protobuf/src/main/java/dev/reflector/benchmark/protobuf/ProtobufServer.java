package dev.reflector.benchmark.protobuf;

import java.io.IOException;
import java.util.List;

import dev.reflector.benchmark.server.LoadServer;

/**
 * The load server, which answers in protobuf as well.
 */
public final class ProtobufServer {

	private ProtobufServer() {
	}

	/**
	 * Serves until standard input ends.
	 * @param args see {@link LoadServer#main}
	 * @throws IOException when there is no port to be had
	 */
	public static void main(String[] args) throws IOException {
		LoadServer.run(args, List.of(new ProtobufEncoding()));
	}

}
