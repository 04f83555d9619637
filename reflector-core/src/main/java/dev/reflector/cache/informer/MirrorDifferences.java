package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.reflector.ConsistencyReport;
import dev.reflector.ConsistencyReport.Difference;
import dev.reflector.ConsistencyReport.Difference.Kind;
import dev.reflector.ConsistencyReport.Result;
import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.store.SkippedVersions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;
import org.jspecify.annotations.Nullable;

/**
 * Collects the differences between a mirror and the pages of a list at the same version.
 *
 * @param <T> the type of the objects
 */
final class MirrorDifferences<T> {

	private final Checkpoint.Content<T> mirror;

	private final ResourceAccessor<T> accessor;

	private final SkippedVersions skippedVersions;

	private final Set<ResourceKey> listed = new HashSet<>();

	private final List<Difference> differences = new ArrayList<>();

	private long compared;

	private long missing;

	private long surplus;

	private long different;

	private long skipped;

	MirrorDifferences(Checkpoint.Content<T> mirror, ResourceAccessor<T> accessor, SkippedVersions skippedVersions) {
		this.mirror = mirror;
		this.accessor = accessor;
		this.skippedVersions = skippedVersions;
	}

	/**
	 * Compares the objects of a page.
	 * @param page the page
	 * @return the number of objects that were on no earlier page
	 */
	int add(ListPage<ObjectVersion> page) {
		int before = this.listed.size();
		this.compared += page.items().size() + page.skipped().size();
		page.items().forEach((item) -> compare(item.key(), item.resourceVersion()));
		page.skipped().forEach(this::skip);
		return this.listed.size() - before;
	}

	/**
	 * Returns the number of objects on all pages. An object that is on several pages
	 * counts once.
	 */
	int listed() {
		return this.listed.size();
	}

	private void compare(ResourceKey key, String serverVersion) {
		this.listed.add(key);
		String mirrorVersion = mirrorVersion(key);
		if (serverVersion.equals(mirrorVersion)) {
			return;
		}
		if (this.skippedVersions.contains(key, serverVersion)) {
			this.skipped++;
			note(Kind.SKIPPED, key, mirrorVersion, serverVersion);
		}
		else if (mirrorVersion == null) {
			this.missing++;
			note(Kind.MISSING, key, null, serverVersion);
		}
		else {
			this.different++;
			note(Kind.VERSION, key, mirrorVersion, serverVersion);
		}
	}

	private void skip(SkippedObject object) {
		this.skipped++;
		if (object.key() != null) {
			this.listed.add(object.key());
			note(Kind.SKIPPED, object.key(), mirrorVersion(object.key()), object.resourceVersion());
		}
	}

	private @Nullable String mirrorVersion(ResourceKey key) {
		T object = this.mirror.objects().get(key);
		return (object != null) ? this.accessor.resourceVersion(object) : null;
	}

	private void note(Kind kind, ResourceKey key, @Nullable String mirrorVersion, @Nullable String serverVersion) {
		if (this.differences.size() < ConsistencyReport.MAX_DIFFERENCES) {
			this.differences.add(new Difference(kind, key, mirrorVersion, serverVersion));
		}
	}

	/**
	 * Creates the report. Called after all pages were added.
	 * @param namespace the namespace that was listed, or {@code null} for all
	 * @return the report
	 */
	ConsistencyReport.Scope report(@Nullable String namespace) {
		this.mirror.objects().forEach((key, object) -> {
			boolean meant = namespace == null || namespace.equals(key.namespace());
			if (meant && !this.listed.contains(key)) {
				this.surplus++;
				note(Kind.SURPLUS, key, this.accessor.resourceVersion(object), null);
			}
		});
		Result result = (this.missing + this.surplus + this.different > 0) ? Result.DIFFERENT : Result.EQUAL;
		return new ConsistencyReport.Scope(namespace, result, this.mirror.version(), this.compared, this.missing,
				this.surplus, this.different, this.skipped, this.differences, "");
	}

}
