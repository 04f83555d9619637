package dev.reflector.autoconfigure.empty;

public final class Nothing {

}
