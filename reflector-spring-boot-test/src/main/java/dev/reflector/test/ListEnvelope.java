package dev.reflector.test;

/**
 * What stands around the items of a list.
 *
 * @param opening what stands before them
 * @param separator what stands between them
 * @param closing what stands after them
 */
record ListEnvelope(byte[] opening, byte[] separator, byte[] closing) {

}
