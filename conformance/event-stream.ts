import type { World } from '@steward/testing';
import { EventSource } from 'eventsource';
import { onTestFinished } from 'vitest';

/** The path of the feed. */
export const EVENTS = '/_service/admin/v1/events';

/** What a stream has received. */
export interface ReceivedStream {
  readonly status: number;
  readonly headers: Headers;
  /** All text so far. */
  readonly text: () => string;
  /** The text, once the server has ended the stream. */
  readonly ended: Promise<string>;
}

/** Requests a stream, which ends with the test. */
export async function openStream(
  world: World,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<ReceivedStream> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const response = await fetch(world.running.url + target, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: abort.signal,
  });
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
    return text;
  };
  const ended = read();
  // A test need not wait for the end.
  ended.catch(() => {});
  return { status: response.status, headers: response.headers, text: () => text, ended };
}

/** An event as an `EventSource` receives it. */
export interface SourceEvent {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
}

/** Receives events of some types by an `EventSource`, which connects again by itself, until the test ends. */
export function openSource(
  world: World,
  target: string,
  types: readonly string[],
  headers: Readonly<Record<string, string>>,
): { readonly events: readonly SourceEvent[]; readonly opened: () => number } {
  const events: SourceEvent[] = [];
  let opened = 0;
  const source = new EventSource(world.running.url + target, {
    fetch: (_, init) =>
      fetch(world.running.url + target, { ...init, headers: { ...init.headers, ...headers } } as RequestInit),
  });
  onTestFinished(() => source.close());
  source.addEventListener('open', () => opened++);
  for (const type of types)
    source.addEventListener(type, ({ lastEventId, data }) =>
      events.push({ id: lastEventId, type, data: JSON.parse(data as string) as unknown }),
    );
  return { events, opened: () => opened };
}
