package dev.reflector.client;

/**
 * The bytes of one JSON value. Valid only while it is being handed over: the array may be
 * used again.
 *
 * @param bytes holds the value
 * @param offset where it begins
 * @param length how long it is
 * @param complete whether it is all there; of a value that is too large only the
 * beginning is
 */
record Slice(byte[] bytes, int offset, int length, boolean complete) {

}
