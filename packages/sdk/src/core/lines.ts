import { StewardError } from './errors.ts';

/** The longest line, in characters: no answer of the server has a longer one. */
const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * Splits text in UTF-8 into its lines, which end with a line feed, a carriage return or both, wherever its chunks are cut.
 * A last line without an end is a line, too. A byte order mark at the beginning is skipped.
 *
 * @throws StewardError for a line that is longer than 16 Mi characters
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = splitLines(rest + decoder.decode(chunk, { stream: true }));
    rest = lines.rest;
    if (rest.length > LONGEST_LINE)
      throw new StewardError('a line of the answer is too long', { status: 200, errcode: 'INVALID_ANSWER' });
    yield* lines.complete;
  }
  const last = splitLines(rest + decoder.decode());
  yield* last.complete;
  if (last.rest !== '') yield last.rest.replace(/\r$/, '');
}

/** A carriage return at the end may be the first half of a line end, so it waits for what follows. */
function splitLines(text: string): { readonly complete: readonly string[]; readonly rest: string } {
  const complete = text.split(/\r\n|\n|\r(?!$)/);
  return { rest: complete.pop() ?? '', complete };
}
