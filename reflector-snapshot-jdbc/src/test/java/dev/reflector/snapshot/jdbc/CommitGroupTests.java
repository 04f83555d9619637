package dev.reflector.snapshot.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import dev.reflector.cache.snapshot.SnapshotFencedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.core.JdbcOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests of {@link CommitGroup}.
 */
@Timeout(60)
class CommitGroupTests {

	private final ReentrantLock turn = new ReentrantLock();

	private final CommitGroup group = new CommitGroup(this.turn);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	/** How many commits each transaction had; -1 for one that has failed. */
	private final List<Integer> transactions = new ArrayList<>();

	private int worked;

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	@Test
	void commitsThatWaitShareATransaction() throws Exception {
		List<Future<String>> commits = whileOthersWrite(commit("a"), commit("b"), commit("c"));
		assertThat(commits.get(0).get()).isEqualTo("a");
		assertThat(commits.get(1).get()).isEqualTo("b");
		assertThat(commits.get(2).get()).isEqualTo("c");
		assertThat(this.transactions).containsExactly(3);
	}

	@Test
	void oneThatIsRefusedIsTheOnlyOneToHearOfIt() throws Exception {
		List<Future<String>> commits = whileOthersWrite(commit("a"), (jdbc) -> {
			throw new SnapshotFencedException("by another");
		}, commit("c"));
		assertThat(commits.get(0).get()).isEqualTo("a");
		assertThat(commits.get(2).get()).isEqualTo("c");
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> commits.get(1).get())
			.withCauseInstanceOf(SnapshotFencedException.class);
		assertThat(this.transactions).containsExactly(2);
	}

	@Test
	void whenTheTransactionFailsEachIsTriedAlone() throws Exception {
		List<Future<String>> commits = whileOthersWrite(commit("a"), (jdbc) -> {
			throw new IllegalStateException("too large");
		}, commit("c"));
		assertThat(commits.get(0).get()).isEqualTo("a");
		assertThat(commits.get(2).get()).isEqualTo("c");
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> commits.get(1).get())
			.withCauseInstanceOf(IllegalStateException.class);
		assertThat(this.transactions).containsExactlyInAnyOrder(-1, 1, -1, 1);
	}

	@SafeVarargs
	private List<Future<String>> whileOthersWrite(Function<JdbcOperations, String>... work) {
		this.turn.lock();
		try {
			List<Future<String>> commits = new ArrayList<>();
			for (Function<JdbcOperations, String> commit : work) {
				commits.add(this.threads.submit(() -> this.group.commit(commit, this::transaction)));
				await().until(() -> this.turn.getQueueLength() == commits.size());
			}
			return commits;
		}
		finally {
			this.turn.unlock();
		}
	}

	private Function<JdbcOperations, String> commit(String result) {
		return (jdbc) -> {
			this.worked++;
			return result;
		};
	}

	private void transaction(Function<JdbcOperations, Boolean> work) throws SQLException {
		this.worked = 0;
		try {
			work.apply(mock(JdbcOperations.class));
		}
		catch (RuntimeException ex) {
			this.worked = -1;
			throw ex;
		}
		finally {
			this.transactions.add(this.worked);
		}
	}

}
