package dev.ratelimit.support;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/**
 * A list that computes an element whenever it is read, for results that few readers look
 * into. It keeps what computes them. Unmodifiable, and as safe for concurrent use as
 * that.
 *
 * @param <E> the type of the elements
 */
public final class ComputedList<E> extends AbstractList<E> implements RandomAccess {

	private final int size;

	private final IntFunction<E> element;

	/**
	 * Create a list.
	 * @param size the number of elements
	 * @param element computes the element at an index, always with an equal result
	 */
	public ComputedList(int size, IntFunction<E> element) {
		this.size = size;
		this.element = element;
	}

	@Override
	public E get(int index) {
		return this.element.apply(Objects.checkIndex(index, this.size));
	}

	@Override
	public int size() {
		return this.size;
	}

}
