import {
  constants,
  type Http2SecureServer,
  type Http2Server,
  type Http2ServerRequest,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { methodRules } from './method-rules.ts';
import type { Route } from './routes.ts';

/** How long callers have to read the ends of their streams of events, in milliseconds. */
const STREAM_LIMIT_MS = 1_000;

/** How long all other calls have, in milliseconds. */
const CALL_LIMIT_MS = 15_000;

/** The connections of a server that is to be closed. */
export interface Connections {
  /**
   * Accepts no further connections and calls, and resolves when the running calls are answered. Endless streams are cut after a
   * second, other calls after 15: a caller that reads nothing must not keep a process from its end.
   */
  drain(): Promise<void>;
}

/**
 * Keeps account of the connections of a server.
 *
 * @param otherStreams the paths of streams, in addition to those of events, that go on until a side ends them
 */
export function connectionsOf(
  server: Http2Server | Http2SecureServer,
  routes: readonly Route[],
  otherStreams: readonly string[] = [],
): Connections {
  const endless = new Set([...routes.flatMap(endlessPaths), ...otherStreams]);
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  const streams = new Set<ServerHttp2Stream>();
  const calls = new Set<ServerHttp2Stream>();
  server.on('session', (session: ServerHttp2Session) => keep(sessions, session));
  server.on('connection', (socket: Socket) => keep(sockets, socket));
  server.on('request', ({ url, stream }: Http2ServerRequest) =>
    keep(endless.has(url) ? streams : calls, stream),
  );
  return {
    async drain() {
      const closed = new Promise((resolve) => server.close(resolve));
      // Before the sessions close, because one that is destroyed does not know its socket any more.
      const withCalls = new Set(
        [...calls].flatMap(({ session }) => (!session || session.destroyed ? [] : [peerOf(session.socket)])),
      );
      for (const session of sessions) session.close();
      const cutStreams = setTimeout(() => {
        for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
        // A connection stays open until its client has read everything, which after a call is its answer.
        for (const socket of sockets) if (!withCalls.has(peerOf(socket))) socket.destroy();
      }, STREAM_LIMIT_MS);
      const cutAll = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, CALL_LIMIT_MS);
      await closed;
      clearTimeout(cutStreams);
      clearTimeout(cutAll);
    },
  };
}

/** Adds an object to a set until it is closed. */
function keep<T extends { once(event: 'close', listener: () => void): unknown }>(set: Set<T>, item: T): void {
  set.add(item);
  item.once('close', () => set.delete(item));
}

/** Identifies a connection; a session has no access to its socket. */
function peerOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`;
}

/** The paths of the methods of a service whose streams go on until a side ends them. */
function endlessPaths({ service }: Route): readonly string[] {
  const names = service.methods.map((method) => methodRules(method).eventStream);
  return names.filter((name) => name !== '').map((name) => `/${service.typeName}/${name}`);
}
