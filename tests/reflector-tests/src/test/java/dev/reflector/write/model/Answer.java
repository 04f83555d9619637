package dev.reflector.write.model;

import java.util.Optional;
import java.util.function.Supplier;

import dev.reflector.write.WriteException;
import dev.reflector.write.Written;

/**
 * The outcome of a writer's call.
 *
 * @param written the returned value, or {@code null}
 * @param failure the thrown exception, or {@code null}
 */
record Answer(Written<?> written, WriteException failure) {

	static Answer of(Supplier<Written<?>> call) {
		try {
			return new Answer(call.get(), null);
		}
		catch (WriteException ex) {
			return new Answer(null, ex);
		}
	}

	boolean failedAs(Class<? extends WriteException> type) {
		return type.isInstance(this.failure);
	}

	Optional<Written<?>> success() {
		return Optional.ofNullable(this.written);
	}

	@Override
	public String toString() {
		if (this.failure != null) {
			return this.failure.getClass().getSimpleName()
					+ (this.failure.mayHaveHappened() ? ", may have happened" : "");
		}
		return (this.written.skipped() ? "skipped" : this.written.changed() ? "changed" : "unchanged") + " @ "
				+ this.written.resourceVersion();
	}

}
