import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type SecureServerOptions,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, type Interceptor } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { tlsRefusal } from '@steward/kernel';
import { Health } from '@steward/proto/health/v1/health_pb.ts';
import { admitClients, type Clients } from './admit-clients.ts';
import { connectionsOf } from './drain-connections.ts';
import type { ForwardedWriters } from './forwarded-answer.ts';
import { healthRoute } from './health.ts';
import { limitHandshakes } from './limit-handshakes.ts';
import { credentialOf, limitUnauthenticated, UNAUTHENTICATED_STREAMS } from './limit-unauthenticated.ts';
import {
  CLIENT_MESSAGE_LIMIT_BYTES,
  CONNECTION_MEMORY_MB,
  DEADLINE_LIMIT_MS,
  MESSAGE_LIMIT_BYTES,
} from './limits.ts';
import { LINK_PATH, REFUSED_CREDENTIAL } from './link/protocol.ts';
import { serveLinks } from './link/serve-links.ts';
import { createLocalTransport } from './local-transport.ts';
import { type Recognize, recognizer } from './recognize.ts';
import { REFLECTION_PATHS, reflectionRoutes } from './reflection.ts';
import type { Route, RouteOptions } from './routes.ts';
import { serverOptions, type Tls } from './tls.ts';

/** The size limit of a question for health or a description, in bytes: it consists of names. */
const OPEN_MESSAGE_LIMIT_BYTES = 4 * 1024;

/**
 * How many calls in a second a peer may abort in the long run, and at once; beyond, Node ends the connection, with all calls
 * on it. A gateway aborts a call when its client disconnects during a download, and Connect aborts a stream when it reads an
 * error before it receives the end, so the limit is above what a gateway serves. Node's default of 33 is not.
 */
const STREAM_RESETS = { streamResetRate: 10_000, streamResetBurst: 20_000 };

const UNAUTHORIZED = 401;

/** What the paths of the methods begin with that need no credential. */
const OPEN_PATHS = [`/${Health.typeName}/`, ...REFLECTION_PATHS];

/** What a server serves, and where. */
export interface ServeOptions {
  readonly routes: readonly Route[];
  /** The outermost first; they run after the check of the credential. */
  readonly interceptors: readonly Interceptor[];
  /** The credential of the server's processes. */
  readonly credential: string;
  /** The programs with credentials of their own; none by default. */
  readonly clients?: Clients;
  /** Serves over TLS, to callers with a certificate of the same authorities only; without it, over plain connections. */
  readonly tls?: Tls | undefined;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Whether everything that the routes depend on is available. */
  readonly healthy: () => Promise<boolean>;
  /** The writers of answers that callers pass on as JSON; without them these answers are messages. */
  readonly writers?: ForwardedWriters;
}

type NodeHandler = NonNullable<Parameters<typeof connectNodeAdapter>[0]['fallback']>;

/** The content types of gRPC and gRPC-Web. */
const GRPC = /^application\/grpc(?:-web)?(?:-text)?(?:$|[+;])/i;

const NOT_FOUND = 404;

const noClients: Clients = { credentials: () => [], requestId: () => '', onUnreadable: () => {} };

/** A listening server. */
export interface RpcServer {
  /** For example `http://127.0.0.1:9001`, or with `https` over TLS. */
  readonly url: string;
  /**
   * Reports that it no longer serves, tells connected callers to use another instance, and resolves when the
   * running calls are answered, or cut because they take too long.
   */
  close(): Promise<void>;
}

/**
 * Serves gRPC, gRPC-Web, Connect and links on one port, over HTTP/2. A caller without a credential is refused before its message
 * is received, except by the services for health and reflection. The headers of the server's processes are believed; a client calls as itself, and
 * has no links. Compressed messages are refused: no process of the server sends any.
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
  const open = [healthRoute(options.routes, isServing, draining.signal), ...reflectionRoutes(options.routes)];
  const { routes, writers = () => undefined, clients = noClients, tls } = options;
  const recognize = recognizer(options.credential, clients.credentials);
  const interceptors = [...options.interceptors];
  const stopped = new AbortController();
  const serving = (
    readMaxBytes: number,
    routeOptions: RouteOptions,
    contextValues?: Parameters<typeof connectNodeAdapter>[0]['contextValues'],
  ) =>
    connectNodeAdapter({
      fallback: answerUnknown(recognize),
      routes: (router) => {
        for (const { register } of routes) register(router, routeOptions);
        for (const { register } of open) register(router, { readMaxBytes: OPEN_MESSAGE_LIMIT_BYTES });
      },
      acceptCompression: [],
      readMaxBytes,
      writeMaxBytes: MESSAGE_LIMIT_BYTES,
      maxTimeoutMs: DEADLINE_LIMIT_MS,
      shutdownSignal: stopped.signal,
      ...(contextValues ? { contextValues } : {}),
    });
  const serveProcess = serving(MESSAGE_LIMIT_BYTES, { interceptors });
  const { contextValues, requestGate, interceptor } = admitClients(recognize, clients);
  const serveOther = serving(
    CLIENT_MESSAGE_LIMIT_BYTES,
    { interceptors: [interceptor, ...interceptors], requestGate },
    (request) => contextValues(request as Http2ServerRequest),
  );
  const links = serveLinks(routes, createLocalTransport(routes, { interceptors }), writers);
  const http2 = {
    ...STREAM_RESETS,
    maxSessionMemory: CONNECTION_MEMORY_MB,
    settings: { maxConcurrentStreams: UNAUTHENTICATED_STREAMS },
  };
  const server = tls ? createTlsServer(http2, tls) : createServer(http2);
  server.on('request', (request, response) => {
    const isProcess = recognize(credentialOf(request.headers)) === 'process';
    if (request.url !== LINK_PATH) (isProcess ? serveProcess : serveOther)(request, response);
    else if (isProcess) links.accept(request.stream);
    else response.writeHead(UNAUTHORIZED).end();
  });
  limitUnauthenticated(server, recognize, (path) => OPEN_PATHS.some((prefix) => path.startsWith(prefix)));
  const connections = connectionsOf(server, routes, REFLECTION_PATHS);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${port}`,
    async close() {
      draining.abort();
      links.close();
      await connections.drain();
      stopped.abort();
    },
  };
}

/** Answers a call of a method that is not served: for gRPC, a status in the headers of an answer without messages. */
function answerUnknown(recognize: Recognize): NodeHandler {
  return (request, response) => {
    const { 'content-type': contentType = '' } = request.headers;
    if (!GRPC.test(contentType)) {
      response.statusCode = NOT_FOUND;
      response.end();
      return;
    }
    const [code, message] =
      recognize(credentialOf(request.headers)) === undefined
        ? [Code.Unauthenticated, REFUSED_CREDENTIAL]
        : [Code.Unimplemented, `${request.url} is not a method of this server`];
    response.setHeader('content-type', contentType);
    response.setHeader('grpc-status', String(code));
    response.setHeader('grpc-message', encodeURIComponent(message));
    response.end();
  };
}

/** A server whose new connections use the identity of the time. */
function createTlsServer(options: SecureServerOptions, tls: Tls): Http2SecureServer {
  const server = createSecureServer({ ...options, ...serverOptions(tls.current()) });
  limitHandshakes(server);
  tls.onChange((identity) => server.setSecureContext(serverOptions(identity)));
  server.on('tlsClientError', (error, { authorizationError }) => {
    const reason = authorizationError ? String(authorizationError) : tlsRefusal(error);
    if (reason !== undefined) tls.onRefusal?.(reason);
  });
  return server;
}
