import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Interceptor } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { healthRoute } from './health.ts';
import { requireCredential } from './interceptors/credential.ts';
import { DEADLINE_LIMIT_MS, MESSAGE_LIMIT_BYTES } from './limits.ts';
import type { Route } from './routes.ts';

/** What a server serves, and where. */
export interface ServeOptions {
  readonly routes: readonly Route[];
  /** The outermost first; the check of the credential comes before all of them. */
  readonly interceptors: readonly Interceptor[];
  /** The credential that callers must present. */
  readonly credential: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Whether everything that the routes depend on is available. */
  readonly healthy: () => Promise<boolean>;
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

/** Serves gRPC, gRPC-Web and Connect on one port, over HTTP/2 without TLS. */
export async function serveRpc(options: ServeOptions): Promise<RpcServer> {
  const draining = new AbortController();
  const isServing = async () => !draining.signal.aborted && (await options.healthy());
  const health = healthRoute(options.routes, isServing, draining.signal);
  const interceptors = [requireCredential(options.credential), ...options.interceptors];
  const stopped = new AbortController();
  const server = createServer(
    connectNodeAdapter({
      routes: (router) => {
        for (const { register } of options.routes) register(router, interceptors);
        health.register(router, []);
      },
      readMaxBytes: MESSAGE_LIMIT_BYTES,
      writeMaxBytes: MESSAGE_LIMIT_BYTES,
      maxTimeoutMs: DEADLINE_LIMIT_MS,
      shutdownSignal: stopped.signal,
    }),
  );
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
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.close();
      await closed;
      stopped.abort();
    },
  };
}
