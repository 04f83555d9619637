package dev.reflector.client.internal.proto;

import java.util.Arrays;

import dev.reflector.client.internal.frame.JsonText;
import dev.reflector.client.internal.frame.MalformedResponseException;

/**
 * Reads the messages around an object in protobuf, without copying them. A frame of a
 * watch is a message {@code WatchEvent}. An object is inside a message {@code Unknown},
 * which also contains the type of the object. Four marker bytes come before
 * {@code Unknown}.
 */
final class Envelope {

	/** The four marker bytes before every object and list. */
	private static final byte[] MAGIC = { 'k', '8', 's', 0 };

	private static final int FIRST = 1;

	private static final int SECOND = 2;

	private static final int CONTENT_ENCODING = 3;

	private final Wire wire;

	private final Part type = new Part();

	private final Part apiVersion = new Part();

	private final Part kind = new Part();

	/**
	 * The bytes of the object. Until {@link #openObject()} is called, they include the
	 * envelope of the object.
	 */
	private final Part object = new Part();

	/**
	 * Creates a reader of envelopes.
	 * @param wire reads the fields
	 */
	Envelope(Wire wire) {
		this.wire = wire;
	}

	static byte magic(int index) {
		return MAGIC[index];
	}

	static int magicLength() {
		return MAGIC.length;
	}

	/**
	 * Opens a frame of a watch, and finds the type of the event and the object.
	 * @param from the index at which the frame begins
	 * @param to the index after the frame
	 */
	void openEvent(int from, int to) {
		this.type.clear();
		this.object.clear();
		this.wire.at(from);
		while (this.wire.next(to)) {
			switch (this.wire.number()) {
				case FIRST -> this.type.take();
				case SECOND -> this.object.take();
				default -> {
					// a later version of Kubernetes may have more fields
				}
			}
		}
		if (this.object.isThere()) {
			// the object is wrapped in a separate message, as its first field
			int end = this.object.to;
			this.wire.at(this.object.from);
			this.object.clear();
			while (this.wire.next(end)) {
				if (this.wire.number() == FIRST) {
					this.object.take();
				}
			}
		}
	}

	/**
	 * Opens the envelope of the object that was found in a frame of a watch, and finds
	 * the type of the object.
	 * @throws MalformedResponseException if there is no object
	 */
	void openObject() {
		openObject(this.object.from, this.object.to);
	}

	/**
	 * Opens the envelope of an object, and finds the type of the object.
	 * @param from the index at which the envelope begins
	 * @param to the index after the envelope
	 * @throws MalformedResponseException if there is no object
	 */
	void openObject(int from, int to) {
		byte[] bytes = this.wire.bytes();
		int content = from + MAGIC.length;
		if (content > to || !Arrays.equals(bytes, from, content, MAGIC, 0, MAGIC.length)) {
			throw new MalformedResponseException("an object that is not in the protobuf of Kubernetes");
		}
		this.apiVersion.clear();
		this.kind.clear();
		this.object.clear();
		this.wire.at(content);
		while (this.wire.next(to)) {
			switch (this.wire.number()) {
				case FIRST -> openType();
				case SECOND -> this.object.take();
				case CONTENT_ENCODING -> requireNone(this.wire);
				default -> {
					// the content type, which equals the content type of the response
				}
			}
		}
	}

	private void openType() {
		int next = this.wire.index();
		int to = this.wire.to();
		this.wire.at(this.wire.from());
		while (this.wire.next(to)) {
			switch (this.wire.number()) {
				case FIRST -> this.apiVersion.take();
				case SECOND -> this.kind.take();
				default -> {
					// a later version of Kubernetes may have more fields
				}
			}
		}
		this.wire.at(next);
	}

	static void requireNone(Wire encoding) {
		if (encoding.from() != encoding.to()) {
			throw new MalformedResponseException("an object in protobuf with an unknown encoding");
		}
	}

	/** Returns whether the frame of a watch has an object. */
	boolean hasObject() {
		return this.object.isThere();
	}

	/** Returns the index at which the fields of the object begin. */
	int from() {
		return this.object.from;
	}

	/** Returns the index after the fields of the object. */
	int to() {
		return this.object.to;
	}

	boolean isEvent(byte[] name) {
		return this.type.is(name);
	}

	boolean isOf(byte[] apiVersion, byte[] kind) {
		return this.kind.is(kind) && this.apiVersion.is(apiVersion);
	}

	/**
	 * Writes the type of the event as a JSON string.
	 * @param text the text to which the string is added
	 */
	void writeEvent(JsonText text) {
		this.type.write(text);
	}

	/**
	 * Writes the type of the object as members of a JSON object.
	 * @param text the text to which the members are added
	 */
	void writeType(JsonText text) {
		text.put("\"kind\":");
		this.kind.write(text);
		text.put(",\"apiVersion\":");
		this.apiVersion.write(text);
	}

	private final class Part {

		private int from;

		private int to = -1;

		void clear() {
			this.from = 0;
			this.to = -1;
		}

		void take() {
			if (isThere()) {
				throw new MalformedResponseException("an envelope in protobuf with a field that comes twice");
			}
			if (Envelope.this.wire.type() != Wire.BYTES) {
				throw new MalformedResponseException("an envelope in protobuf with a field of another kind");
			}
			this.from = Envelope.this.wire.from();
			this.to = Envelope.this.wire.to();
		}

		boolean isThere() {
			return this.to >= 0;
		}

		boolean is(byte[] text) {
			return isThere() && Arrays.equals(Envelope.this.wire.bytes(), this.from, this.to, text, 0, text.length);
		}

		void write(JsonText text) {
			if (!text.string(Envelope.this.wire.bytes(), this.from, Math.max(this.from, this.to))) {
				throw new MalformedResponseException("an envelope in protobuf with a text that is no UTF-8");
			}
		}

	}

}
