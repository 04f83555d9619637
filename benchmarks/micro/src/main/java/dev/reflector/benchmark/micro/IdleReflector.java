package dev.reflector.benchmark.micro;

import java.util.List;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceType;
import dev.reflector.benchmark.reflector.pods.Pod;

/**
 * A reflector that only serves as the source of the events.
 */
final class IdleReflector implements Reflector<Pod> {

	@Override
	public String name() {
		return "pods";
	}

	@Override
	public ResourceType resourceType() {
		return ResourceType.of("v1", "Pod", "pods");
	}

	@Override
	public List<String> namespaces() {
		return List.of();
	}

	@Override
	public ReflectorState state() {
		return ReflectorState.WATCHING;
	}

	@Override
	public String lastSyncResourceVersion() {
		return "1";
	}

	@Override
	public boolean hasSynced() {
		return true;
	}

	@Override
	public void resync() {
		throw new UnsupportedOperationException();
	}

	@Override
	public void relist() {
		throw new UnsupportedOperationException();
	}

	@Override
	public void pause() {
		throw new UnsupportedOperationException();
	}

	@Override
	public void resume() {
		throw new UnsupportedOperationException();
	}

	@Override
	public ReflectorStatus status() {
		throw new UnsupportedOperationException();
	}

}
