/** Yields what an iterable yields; its errors are converted by `translate`. */
export async function* withErrors<T>(
  pieces: AsyncIterable<T>,
  translate: (thrown: unknown) => unknown,
): AsyncGenerator<T> {
  try {
    yield* pieces;
  } catch (thrown) {
    throw translate(thrown);
  }
}
