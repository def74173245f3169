package dev.ratelimit.store;

/**
 * What a log keeps for plans with longer windows than the requested one, as long as one
 * of these plans may need it.
 *
 * @param micros the longest window of any plan
 * @param most the number of entries that is enough for every plan, although the newest of
 * them may still be released; see {@link dev.ratelimit.rule.LogEntries}
 * @param isNeeded whether the requested windows are longer than those of another plan,
 * which must not delete the entries that they need
 */
public record LongerWindow(long micros, long most, boolean isNeeded) {
}
