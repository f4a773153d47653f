import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError, type HandlerContext, type Interceptor } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { Health } from '@steward/proto/health/v1/health_pb.ts';
import type { ForwardedWriters } from './forwarded-answer.ts';
import { headers } from './headers.ts';
import { healthRoute } from './health.ts';
import { knownCaller } from './known-caller.ts';
import { credentialOf, limitStrangers, STRANGERS_STREAMS } from './limit-strangers.ts';
import { CONNECTION_MEMORY_MB, DEADLINE_LIMIT_MS, MESSAGE_LIMIT_BYTES } from './limits.ts';
import { LINK_PATH, REFUSED_CREDENTIAL } from './link/protocol.ts';
import { serveLinks } from './link/serve-links.ts';
import { createLocalTransport } from './local-transport.ts';
import type { Route } from './routes.ts';

/** The size limit of a question for health, in bytes: it names a service. */
const HEALTH_MESSAGE_LIMIT_BYTES = 4 * 1024;

/**
 * How many calls in a second a peer may abort in the long run, and at once; beyond, Node ends the connection, with all calls
 * on it. A gateway aborts a call when its client disconnects during a download, and Connect aborts a stream when it reads an
 * error before it receives the end, so the limit is above what a gateway serves. Node's default of 33 is not.
 */
const STREAM_RESETS = { streamResetRate: 10_000, streamResetBurst: 20_000 };

const UNAUTHORIZED = 401;

/** What the paths of the health service begin with. */
const HEALTH_PATH = `/${Health.typeName}/`;

/** What a server serves, and where. */
export interface ServeOptions {
  readonly routes: readonly Route[];
  /** The outermost first; they run after the check of the credential. */
  readonly interceptors: readonly Interceptor[];
  /** The credential that callers must present. */
  readonly credential: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Whether everything that the routes depend on is available. */
  readonly healthy: () => Promise<boolean>;
  /** The writers of answers that callers pass on as JSON; without them these answers are messages. */
  readonly writers?: ForwardedWriters;
}

/** A listening server. */
export interface RpcServer {
  /** For example `http://127.0.0.1:9001`. */
  readonly url: string;
  /**
   * Reports that it no longer serves, tells connected callers to use another instance, and resolves when the
   * running calls are answered.
   */
  close(): Promise<void>;
}

/**
 * Serves gRPC, gRPC-Web, Connect and links on one port, over HTTP/2 without TLS. A caller without the credential is refused before
 * its message is received, except by the health service. Compressed messages are refused: no process of the server sends any.
 */
export async function serveRpc(options: ServeOptions): Promise<RpcServer> {
  const draining = new AbortController();
  // Callers without the credential can ask at any rate, so concurrent ones share a look-up.
  let lookUp: Promise<boolean> | undefined;
  const healthy = () => {
    lookUp ??= options.healthy().finally(() => {
      lookUp = undefined;
    });
    return lookUp;
  };
  const isServing = async () => (await healthy()) && !draining.signal.aborted;
  const health = healthRoute(options.routes, isServing, draining.signal);
  const isKnown = knownCaller(options.credential);
  const interceptors = [...options.interceptors];
  const requestGate = ({ requestHeader }: HandlerContext) => {
    if (!isKnown(requestHeader.get(headers.credential)))
      throw new ConnectError(REFUSED_CREDENTIAL, Code.Unauthenticated);
  };
  const stopped = new AbortController();
  const serve = connectNodeAdapter({
    routes: (router) => {
      for (const { register } of options.routes) register(router, { interceptors, requestGate });
      health.register(router, { readMaxBytes: HEALTH_MESSAGE_LIMIT_BYTES });
    },
    acceptCompression: [],
    readMaxBytes: MESSAGE_LIMIT_BYTES,
    writeMaxBytes: MESSAGE_LIMIT_BYTES,
    maxTimeoutMs: DEADLINE_LIMIT_MS,
    shutdownSignal: stopped.signal,
  });
  const { routes, writers = () => undefined } = options;
  const links = serveLinks(routes, createLocalTransport(routes, { interceptors }), writers);
  const server = createServer(
    {
      ...STREAM_RESETS,
      maxSessionMemory: CONNECTION_MEMORY_MB,
      settings: { maxConcurrentStreams: STRANGERS_STREAMS },
    },
    (request, response) => {
      if (request.url !== LINK_PATH) serve(request, response);
      else if (isKnown(credentialOf(request.headers))) links.accept(request.stream);
      else response.writeHead(UNAUTHORIZED).end();
    },
  );
  limitStrangers(server, isKnown, (path) => path.startsWith(HEALTH_PATH));
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    async close() {
      draining.abort();
      links.close();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.close();
      await closed;
      stopped.abort();
    },
  };
}
