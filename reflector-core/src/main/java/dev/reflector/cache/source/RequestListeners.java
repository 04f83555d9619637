package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;

/**
 * Calls two listeners, one after the other.
 */
record RequestListeners(RequestListener first, RequestListener second) implements RequestListener {

	@Override
	public void waitsFor(@Nullable String subject) {
		this.first.waitsFor(subject);
		this.second.waitsFor(subject);
	}

	@Override
	public void formatRefused() {
		this.first.formatRefused();
		this.second.formatRefused();
	}

	@Override
	public void received(long bytes) {
		this.first.received(bytes);
		this.second.received(bytes);
	}

	@Override
	public boolean wantsSizes() {
		return this.first.wantsSizes() || this.second.wantsSizes();
	}

	@Override
	public void listed(long size) {
		this.first.listed(size);
		this.second.listed(size);
	}

	@Override
	public void burstBegins() {
		this.first.burstBegins();
		this.second.burstBegins();
	}

	@Override
	public void burstEnds() {
		this.first.burstEnds();
		this.second.burstEnds();
	}

	@Override
	public void broken(BrokenAnswer answer) {
		this.first.broken(answer);
		this.second.broken(answer);
	}

}
