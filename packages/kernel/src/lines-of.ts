import { StringDecoder } from 'node:string_decoder';

/** The longest line, in characters: more than a document of 16 MB has as JSON. */
const MAX_LENGTH = 128 * 1024 * 1024;

/**
 * Splits a text into lines, which only a line feed ends: JSON may contain U+2028 and U+2029, at which the readline module
 * of Node splits, too. The end of the iteration, also an early one, destroys the input.
 *
 * @param input in UTF-8
 * @param maxLength in characters
 * @throws Error when the input does, or a line is longer than `maxLength`
 */
export async function* linesOf(
  input: AsyncIterable<Uint8Array | string>,
  maxLength = MAX_LENGTH,
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  /** The parts of the line that has not ended yet, so that a long one is joined once. */
  let parts: string[] = [];
  let length = 0;
  for await (const piece of input) {
    const [first = '', ...others] = (typeof piece === 'string' ? piece : decoder.write(piece)).split('\n');
    parts.push(first);
    length += first.length;
    if (length > maxLength) throw new Error(`A line has more than ${maxLength} characters.`);
    const last = others.pop();
    if (last === undefined) continue;
    yield parts.join('');
    yield* others;
    parts = [last];
    length = last.length;
  }
  const end = parts.join('') + decoder.end();
  if (end !== '') yield end;
}
