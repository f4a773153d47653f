/** A line of a text. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its end; `undefined` for a line that is too long. */
  readonly text: string | undefined;
}

/**
 * Yields the lines of a text in UTF-8, without a byte order mark. Keeps no more than a line in memory.
 *
 * @param maxLength the longest line in characters (UTF-16 units); a longer one has no text
 */
export async function* readLines(pieces: AsyncIterable<Uint8Array>, maxLength: number): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let number = 1;
  let rest = '';
  let isTooLong = false;
  const lineOf = (text: string): Line => {
    const isWhole = !isTooLong && text.length <= maxLength;
    isTooLong = false;
    return { number: number++, text: isWhole ? text.replace(/\r$/, '') : undefined };
  };
  for await (const piece of pieces) {
    const [first = '', ...others] = decoder.decode(piece, { stream: true }).split('\n');
    rest += first;
    for (const next of others) {
      yield lineOf(rest);
      rest = next;
    }
    if (rest.length > maxLength) {
      isTooLong = true;
      rest = '';
    }
  }
  rest += decoder.decode();
  if (rest !== '' || isTooLong) yield lineOf(rest);
}
