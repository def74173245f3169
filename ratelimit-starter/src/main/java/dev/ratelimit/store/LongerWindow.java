package dev.ratelimit.store;

/**
 * What a log keeps for plans with longer windows than the one that asks, as long as one
 * of these may need it.
 *
 * @param micros the longest window of any plan
 * @param most so many entries are enough for every plan
 * @param isNeeded whether the windows that ask are longer than those of another plan,
 * which must not forget what they need
 */
public record LongerWindow(long micros, long most, boolean isNeeded) {
}
