package dev.reflector.snapshot.jdbc;

import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs work in separate transactions, independent of a transaction of the calling thread.
 * Each statement has a time-out.
 */
final class Transactions {

	/**
	 * Fetch size. Even if each object has the largest size that an API server accepts,
	 * this number of rows fits in memory.
	 */
	private static final int ROWS_AT_A_TIME = 100;

	private final Dialect dialect;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate reading;

	private final TransactionTemplate writing;

	Transactions(DataSource dataSource, Dialect dialect) {
		this.dialect = dialect;
		this.jdbc = new JdbcTemplate(dataSource);
		this.jdbc.setQueryTimeout(TimedDataSource.STATEMENT_SECONDS);
		this.jdbc.setFetchSize(ROWS_AT_A_TIME);
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
		manager.setRollbackOnCommitFailure(true);
		this.writing = new TransactionTemplate(manager);
		this.writing.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.reading = new TransactionTemplate(manager);
		this.reading.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.reading.setIsolationLevel(dialect.oneMoment());
	}

	/** Runs work that reads, in a transaction that sees all tables as of one moment. */
	<R extends @Nullable Object> R read(Function<JdbcOperations, R> work) {
		return this.reading.execute((status) -> work.apply(this.jdbc));
	}

	<R> R write(Function<JdbcOperations, R> work) {
		R result = this.writing.execute((status) -> work.apply(this.jdbc));
		this.dialect.committed(this.jdbc);
		return result;
	}

}
