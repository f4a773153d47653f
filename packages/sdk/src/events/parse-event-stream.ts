import { readLines } from '../core/lines.ts';

/** A message of an event stream (`text/event-stream`). */
export interface StreamMessage {
  /** The last id that the stream has sent, with this message or before; undefined if none. */
  readonly id: string | undefined;
  /** The lines of data, joined; undefined for a message that only sets the id. */
  readonly data: string | undefined;
  /** The pause before a new connection that the server asks for, in milliseconds, if this message does. */
  readonly retryMs: number | undefined;
}

/**
 * Parses an event stream as its standard says, wherever its chunks are cut. A message that the stream does not complete is
 * dropped.
 */
export async function* parseEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  let id: string | undefined;
  let data: string[] = [];
  let retryMs: number | undefined;
  let changed = false;
  for await (const line of readLines(chunks)) {
    if (line === '') {
      if (changed) yield { id, data: data.length === 0 ? undefined : data.join('\n'), retryMs };
      data = [];
      retryMs = undefined;
      changed = false;
      continue;
    }
    const { field, value } = fieldOf(line);
    if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
    else continue;
    changed = true;
  }
}

/** A line that begins with a colon is a comment: a field without a name. */
function fieldOf(line: string): { readonly field: string; readonly value: string } {
  const colon = line.indexOf(':');
  if (colon < 0) return { field: line, value: '' };
  const value = line.slice(colon + 1);
  return { field: line.slice(0, colon), value: value.startsWith(' ') ? value.slice(1) : value };
}
