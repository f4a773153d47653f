/** What an iterable yields; what it throws is thrown as `translate` says. */
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
