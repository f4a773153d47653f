import type { Http2Server, IncomingHttpHeaders, ServerHttp2Session } from 'node:http2';
import { headers } from './headers.ts';

/**
 * How many connections may be open over which no call with the credential has come: probes of health, and processes that
 * have just connected. One more closes the oldest.
 */
const MAX_STRANGERS = 64;

/** How many calls without the credential such a connection may have in progress. */
const MAX_OPEN_CALLS = 20;

/** How many of its calls may be refused or aborted. */
const MAX_REFUSED_CALLS = 20;

/** How many calls may be in progress over a connection: the default that peers assume until they know the limit. */
export const STRANGERS_STREAMS = 100;

/** How many after the first call with the credential: more than a gateway has requests and long polls. */
const KNOWN_STREAMS = 20_000;

/**
 * Bounds what callers without the credential can hold and cause: connections, calls in progress, refused and aborted calls.
 *
 * @param isKnown whether a call has the credential
 * @param isOpen whether a path is served without it
 */
export function limitStrangers(
  server: Http2Server,
  isKnown: (credential: string | undefined) => boolean,
  isOpen: (path: string) => boolean,
): void {
  // In the order of insertion, so that the first is the oldest.
  const strangers = new Map<ServerHttp2Session, { open: number; refused: number }>();
  server.on('session', (session) => {
    strangers.set(session, { open: 0, refused: 0 });
    session.once('close', () => strangers.delete(session));
    if (strangers.size > MAX_STRANGERS) oldestOf(strangers).destroy();
  });
  server.on('stream', (stream, sent) => {
    const { session } = stream;
    const stranger = session && strangers.get(session as ServerHttp2Session);
    if (!stranger) return;
    if (isKnown(credentialOf(sent))) {
      strangers.delete(session as ServerHttp2Session);
      session.settings({ maxConcurrentStreams: KNOWN_STREAMS });
      return;
    }
    stranger.open++;
    stream.once('close', () => {
      stranger.open--;
      if (stream.aborted) stranger.refused++;
    });
    if (!isOpen(sent[':path'] ?? '')) stranger.refused++;
    if (stranger.open > MAX_OPEN_CALLS || stranger.refused > MAX_REFUSED_CALLS) session.destroy();
  });
}

/** The credential that a call sends. */
export function credentialOf(sent: IncomingHttpHeaders): string | undefined {
  const value = sent[headers.credential];
  return typeof value === 'string' ? value : undefined;
}

function oldestOf<K>(map: ReadonlyMap<K, unknown>): K {
  const [oldest] = map.keys();
  return oldest as K;
}
