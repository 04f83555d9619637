package dev.reflector.autoconfigure.internal.connection;

import java.time.Duration;
import java.util.List;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.Status;
import dev.reflector.leaderelection.LeaderElectionRecord;
import dev.reflector.leaderelection.ResourceLock;
import dev.reflector.sharding.membership.MemberLease;
import dev.reflector.sharding.membership.MemberRecord;
import dev.reflector.sharding.membership.MemberStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The missing role is logged once, whichever request for a Lease is forbidden.
 */
@ExtendWith(OutputCaptureExtension.class)
class AdvisedLeasesTests {

	private static final LeaderElectionRecord LEADER = new LeaderElectionRecord("a", 15, null, null, 0);

	/** The content of a Lease does not matter here. */
	private static final @Nullable MemberRecord MEMBER = null;

	private final AdvisedLeases advised = new AdvisedLeases(new PermissionAdvice((user) -> "the role of " + user));

	private boolean forbidden;

	@Test
	void aForbiddenRequestForTheLockOfAnElection(CapturedOutput output) {
		ResourceLock lock = this.advised.lock(new Lock());
		assertThat(lock.identity()).isEqualTo("a");
		ResourceLock.Version version = lock.get().block();
		assertThat(version.record()).isEqualTo(LEADER);
		assertThat(version.resourceVersion()).isEqualTo("7");
		assertThat(lock.create(LEADER).block().record()).isEqualTo(LEADER);
		ResourceLock.Version next = version.update(LEADER).block();
		assertThat(output).isEmpty();
		this.forbidden = true;
		for (Mono<?> request : List.of(next.update(LEADER), lock.get(), lock.create(LEADER))) {
			assertThat(request.materialize().block().getThrowable()).isInstanceOf(ApiException.class);
		}
		assertThat(output).containsOnlyOnce("The server forbids requests for the Leases apps/shop")
			.containsOnlyOnce("the role of system:serviceaccount:apps:shop");
	}

	@Test
	void aForbiddenRequestForTheLeasesOfReplicas(CapturedOutput output) {
		MemberStore store = this.advised.members(new Members());
		assertThat(store.identity()).isEqualTo("a");
		MemberLease lease = store.list().block().get(0);
		assertThat(lease.identity()).isEqualTo("b");
		assertThat(lease.resourceVersion()).isEqualTo("7");
		assertThat(lease.record()).isSameAs(MEMBER);
		assertThat(store.create(MEMBER).block().record()).isSameAs(MEMBER);
		assertThat(lease.delete().blockOptional()).isEmpty();
		MemberLease next = lease.update(MEMBER).block();
		assertThat(output).isEmpty();
		this.forbidden = true;
		for (Mono<?> request : List.of(next.update(MEMBER), next.delete(), store.list(), store.create(MEMBER))) {
			assertThat(request.materialize().block().getThrowable()).isInstanceOf(ApiException.class);
		}
		assertThat(output).containsOnlyOnce("The server forbids requests for the Leases apps/group");
	}

	private <T> Mono<T> answer(Mono<T> answer) {
		return Mono.defer(() -> this.forbidden ? Mono.error(new ApiException("403",
				Status.ofHttp(403, "leases is forbidden: User \"system:serviceaccount:apps:shop\" cannot get resource"),
				Duration.ZERO)) : answer);
	}

	private final class Lock implements ResourceLock, ResourceLock.Version {

		@Override
		public String identity() {
			return "a";
		}

		@Override
		public String describe() {
			return "apps/shop";
		}

		@Override
		public Mono<Version> get() {
			return answer(Mono.just(this));
		}

		@Override
		public Mono<Version> create(LeaderElectionRecord record) {
			return answer(Mono.just(this));
		}

		@Override
		public LeaderElectionRecord record() {
			return LEADER;
		}

		@Override
		public String resourceVersion() {
			return "7";
		}

		@Override
		public Mono<Version> update(LeaderElectionRecord record) {
			return answer(Mono.just(this));
		}

	}

	private final class Members implements MemberStore {

		@Override
		public String identity() {
			return "a";
		}

		@Override
		public String describe() {
			return "apps/group";
		}

		@Override
		public Mono<List<MemberLease>> list() {
			return answer(Mono.just(List.of(new Member())));
		}

		@Override
		public Mono<MemberLease> create(MemberRecord record) {
			return answer(Mono.just(new Member()));
		}

	}

	private final class Member implements MemberLease {

		@Override
		public String identity() {
			return "b";
		}

		@Override
		public String resourceVersion() {
			return "7";
		}

		@Override
		public MemberRecord record() {
			return MEMBER;
		}

		@Override
		public Mono<MemberLease> update(MemberRecord record) {
			return answer(Mono.just(this));
		}

		@Override
		public Mono<Void> delete() {
			return answer(Mono.empty());
		}

	}

}
