package dev.reflector.actuate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.reflector.ConsistencyReport;
import dev.reflector.ConsistencyReport.Difference;
import dev.reflector.ConsistencyReport.Difference.Kind;
import dev.reflector.ConsistencyReport.Result;
import dev.reflector.ConsistencyReport.Scope;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * A reflector that has any status one likes.
 *
 * @param <T> the type of the objects
 */
public class FakeReflector<T> implements Reflector<T> {

	public static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

	private final String name;

	private final List<String> actions = new ArrayList<>();

	private ReflectorStatus status;

	private int statusCalls;

	public FakeReflector(String name, ReflectorStatus status) {
		this.name = name;
		this.status = status;
	}

	public static ReflectorStatus status(ReflectorState state, boolean synced, @Nullable Instant failingSince,
			ReflectorStatus.@Nullable LastError lastError) {
		return new ReflectorStatus(state, "9007199254740993123", synced, 3, 2, 7,
				new ReflectorStatus.Counts(11, 12, 13, 14, 15, 16, 17, 18), NOW.minusSeconds(30), NOW.minusSeconds(5),
				failingSince, lastError, null, null,
				new ReflectorStatus.Contact(
						failingSince == null && (state == ReflectorState.LISTING || state == ReflectorState.WATCHING),
						NOW.minusSeconds(5), false));
	}

	public static ReflectorStatus.LastError forbidden() {
		return new ReflectorStatus.LastError(NOW.minusSeconds(90), 403, "Forbidden", "pods is forbidden");
	}

	void become(ReflectorStatus status) {
		this.status = status;
	}

	List<String> actions() {
		return this.actions;
	}

	int statusCalls() {
		return this.statusCalls;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public ResourceType resourceType() {
		return ResourceType.of("apps/v1", "Deployment", "deployments");
	}

	@Override
	public List<String> namespaces() {
		return List.of("default");
	}

	@Override
	public ReflectorState state() {
		return this.status.state();
	}

	@Override
	public String lastSyncResourceVersion() {
		return this.status.lastSyncResourceVersion();
	}

	@Override
	public boolean hasSynced() {
		return this.status.synced();
	}

	@Override
	public void resync() {
		this.actions.add("resync");
	}

	@Override
	public void relist() {
		this.actions.add("relist");
	}

	@Override
	public void pause() {
		this.actions.add("pause");
	}

	@Override
	public void resume() {
		this.actions.add("resume");
	}

	@Override
	public CompletionStage<ConsistencyReport> verify() {
		this.actions.add("verify");
		return CompletableFuture.completedFuture(
				new ConsistencyReport(this.name, NOW, List.of(new Scope("default", Result.DIFFERENT, "12", 3, 1, 0, 0,
						0, List.of(new Difference(Kind.MISSING, new ResourceKey("default", "web"), null, "11")), ""))));
	}

	@Override
	public ReflectorStatus status() {
		this.statusCalls++;
		return this.status;
	}

}
