package dev.reflector.snapshot.jdbc;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link NoSnapshotDatabaseException}.
 */
final class NoSnapshotDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<NoSnapshotDatabaseException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, NoSnapshotDatabaseException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
