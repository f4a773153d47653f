import type { Http2SecureServer, Http2Server, IncomingHttpHeaders, ServerHttp2Session } from 'node:http2';
import { headers } from './headers.ts';
import type { Recognize } from './recognize.ts';

/**
 * How many connections may be open over which no call with the credential has come: probes of health, and processes that
 * have just connected. One more closes the oldest.
 */
const MAX_STRANGERS = 64;

/** How many calls without the credential such a connection may have in progress. */
const MAX_OPEN_CALLS = 20;

/** How many of its calls may be refused or aborted. */
const MAX_REFUSED_CALLS = 20;

/**
 * How many calls may be in progress over a connection: the default that peers assume until they know the limit. It suffices for
 * clients.
 */
export const UNAUTHENTICATED_STREAMS = 100;

/** How many after the first call of a process: more than a gateway has requests and long polls. */
const PROCESS_STREAMS = 20_000;

/** How many connections of a client may be open. One more closes the oldest, whose calls are completed. */
const MAX_CLIENT_CONNECTIONS = 32;

/**
 * Bounds what callers can hold and cause that are not processes of the server: the connections, calls in progress, refused and
 * aborted calls of those without a credential, and the connections of clients.
 *
 * @param recognize who sends a credential
 * @param isOpen whether a path is served without one
 */
export function limitUnauthenticated(
  server: Http2Server | Http2SecureServer,
  recognize: Recognize,
  isOpen: (path: string) => boolean,
): void {
  // In the order of insertion, so that the first is the oldest.
  const strangers = new Map<ServerHttp2Session, { open: number; refused: number }>();
  const clients = new Map<string, Set<ServerHttp2Session>>();
  const addClient = (name: string, session: ServerHttp2Session) => {
    const connections = clients.get(name) ?? new Set();
    clients.set(name, connections.add(session));
    session.once('close', () => {
      connections.delete(session);
      if (connections.size === 0) clients.delete(name);
    });
    if (connections.size <= MAX_CLIENT_CONNECTIONS) return;
    const oldest = oldestOf(connections);
    connections.delete(oldest);
    oldest.close();
  };
  server.on('session', (session: ServerHttp2Session) => {
    strangers.set(session, { open: 0, refused: 0 });
    session.once('close', () => strangers.delete(session));
    if (strangers.size > MAX_STRANGERS) oldestOf(strangers).destroy();
  });
  server.on('stream', (stream, sent) => {
    const { session } = stream;
    const stranger = session && strangers.get(session as ServerHttp2Session);
    if (!stranger) return;
    const sender = recognize(credentialOf(sent));
    if (sender !== undefined) {
      strangers.delete(session as ServerHttp2Session);
      if (sender === 'process') session.settings({ maxConcurrentStreams: PROCESS_STREAMS });
      else addClient(sender.name, session as ServerHttp2Session);
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

function oldestOf<K>(kept: { keys(): Iterable<K> }): K {
  const [oldest] = kept.keys();
  return oldest as K;
}
