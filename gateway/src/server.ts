import type { IncomingMessage } from 'node:http';
import type { DescService } from '@bufbuild/protobuf';
import { toRefusal } from '@steward/errors';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { isUnloggedFault, USUAL_BODY_BYTES } from '@steward/rpc';
import { requestId, traceparent } from '@steward/telemetry';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { BodyDiscarder } from './admission/body-discarder.ts';
import { KnownTokens } from './admission/known-tokens.ts';
import { limitAdmission } from './admission/limit-admission.ts';
import { createLargeBodyReader } from './bodies/large-body-reader.ts';
import { closeGracefully } from './close-gracefully.ts';
import { CONSOLE_PATH } from './console/console-path.ts';
import { serveConsole } from './console/serve-console.ts';
import { serveDocumentation } from './documentation/serve-documentation.ts';
import { EventStreams } from './events/event-streams.ts';
import { headerValue } from './header-value.ts';
import { serveHealth } from './health.ts';
import { KnownPaths, unknownPath } from './known-paths.ts';
import { answerUnreadable, FaultsOfStreams, fromFastify } from './map-errors.ts';
import { observeRequests } from './observe-requests.ts';
import type { GatewayOptions } from './options.ts';
import { resolvePrefix } from './prefixes.ts';
import { STALL_LIMIT_MS } from './raw/stall.ts';
import { ESCAPED_GROWTH, escapeOnce } from './raw-path.ts';
import { setResponseHeaders } from './response-headers.ts';
import { sendScimError } from './scim/scim-error.ts';
import { isScim } from './scim/scim-path.ts';
import { serveScim } from './scim/serve-scim.ts';
import { serveBindings } from './serve-bindings.ts';
import { serveRoot } from './serve-root.ts';
import { readSessionCookies } from './sessions/session-cookie.ts';
import { Site } from './sessions/site.ts';
import { traceRequests } from './trace-requests.ts';
import { type RequestContexts, sendError } from './transcode.ts';
import { TrustedProxies } from './trusted-proxies.ts';

/** The size limit of request line and headers, in bytes; enough for long ids. */
const HEADER_LIMIT_BYTES = 64 * 1024;

/** Parameters of paths are as long as the request line permits. */
const ROUTER_OPTIONS = { maxParamLength: HEADER_LIMIT_BYTES * ESCAPED_GROWTH };

/** How long a client may take to send request line and headers, in milliseconds. */
const HEAD_TIMEOUT_MS = 10_000;

/** How often connections are checked for that, in milliseconds. */
const HEAD_CHECK_MS = 2_000;

const SLOW_STATUS = 408;

/**
 * The JSON gateway: one route for each binding that the descriptors declare, in the order match,
 * authenticate, read, call, write. It knows no endpoint by name and never composes.
 *
 * @throws StartupError when a descriptor contradicts itself
 */
export async function createGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const { config, logger, random } = options;
  /** Requests under a compatibility prefix. */
  const compat = new WeakSet<IncomingMessage>();
  const proxies = new TrustedProxies(config.server.trusted_proxies);
  const app = fastify({
    // The lines of the process and of requests say what Fastify would log at level info.
    loggerInstance: logger.child(
      {},
      { level: logger.isLevelEnabled('debug') ? logger.level : 'warn' },
    ) as FastifyBaseLogger,
    logController: new FaultsOfStreams({ disableRequestLogging: true }),
    // A child logger for each request would be redacted each time; log lines name the request themselves.
    childLoggerFactory: (parent) => parent,
    bodyLimit: USUAL_BODY_BYTES,
    // For the scheme. Addresses of clients are those of `clientAddress`.
    trustProxy: (address) => proxies.has(address),
    // The limit of whole requests is off because uploads may take long; `BodyReceipt` requires progress.
    requestTimeout: 0,
    // `Connections` cuts what makes no progress.
    connectionTimeout: STALL_LIMIT_MS,
    // No time limit for the start: on a busy machine a restart would not be faster.
    pluginTimeout: 0,
    return503OnClosing: false,
    genReqId: (request) => requestId(headerValue(request.headers['x-request-id']), random),
    routerOptions: ROUTER_OPTIONS,
    http: {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: HEAD_CHECK_MS,
    },
    rewriteUrl(request) {
      const { url, profile } = config.server.compat_prefixes
        ? resolvePrefix(request.url ?? '/')
        : { url: request.url ?? '/', profile: 'native' as const };
      if (profile === 'compat') compat.add(request);
      return escapeOnce(url);
    },
    clientErrorHandler: answerUnreadable,
    exposeHeadRoutes: true,
  });

  const streams = new EventStreams(config.admission, options.metrics);
  // Before the hook that waits for requests in progress.
  app.addHook('preClose', async () => streams.close());
  const shutdown = closeGracefully(app);
  app.decorateRequest('clientAddress', {
    getter() {
      return proxies.clientOf(this.raw);
    },
  });
  // Before all other hooks, so that the span of a request includes them.
  app.decorateRequest('span', undefined);
  app.decorateRequest('traceparent', undefined);
  if (options.tracing) traceRequests(app, options.tracing);
  setResponseHeaders(app);
  const site = new Site(config.server.public_baseurl);
  readSessionCookies(app, site);
  const tokens = new KnownTokens();
  const paths = new KnownPaths(ROUTER_OPTIONS);
  observeRequests(app, options, tokens, paths);
  const transportOf = (service: DescService) => tokens.learnFrom(options.transportOf(service));
  const release = limitAdmission(app, {
    limits: config.admission,
    tokens,
    sessions: options.transportOf(SessionService),
    metrics: options.metrics,
  });
  const discarder = new BodyDiscarder();
  readAnyBody(app);
  app.setErrorHandler(async (error, request, reply) => {
    const refused = fromFastify(error);
    const refusal = toRefusal(refused);
    release(request);
    const isRead = refusal.status !== SLOW_STATUS && (await discarder.discard(request.raw));
    if (!isRead) reply.header('connection', 'close');
    if (isUnloggedFault(error, refusal)) {
      // A client that aborts its request is not a fault of the server.
      request.log[request.raw.destroyed ? 'debug' : 'error'](
        { reqId: request.id, err: error },
        'request failed',
      );
    }
    return answerError(request, reply, refused);
  });
  // Before the body is read, which would otherwise be refused for its size.
  app.addHook('onRequest', ({ is404, raw }, _, done) =>
    done(is404 ? paths.refusalOf(raw.url ?? '') : undefined),
  );
  app.setNotFoundHandler((request, reply) => answerError(request, reply, unknownPath()));

  const contexts: RequestContexts = {
    site,
    profileOf: ({ raw }) => (compat.has(raw) ? 'compat' : 'native'),
    traceparentOf(request, changes) {
      const sent = headerValue(request.headers.traceparent);
      if (request.traceparent === undefined && (sent !== undefined || changes))
        request.traceparent = traceparent(sent, random);
      return request.traceparent;
    },
  };
  const largeBodies = createLargeBodyReader();
  app.addHook('onClose', () => largeBodies.close());
  await serveHealth(app, options);
  if (config.server.documentation) serveDocumentation(app);
  const isConsoleBuilt = config.server.console ? serveConsole(app, random) : undefined;
  if (isConsoleBuilt) for (const path of [CONSOLE_PATH, `${CONSOLE_PATH}/*`]) paths.add(path);
  serveBindings(app, {
    config,
    paths,
    transportOf,
    contexts,
    largeBodies,
    abortsWaits: shutdown.abortsWaits,
    eventDependencies: { streams, random },
  });
  serveScim(app, { config, paths, transportOf, contexts });
  serveRoot(app, isConsoleBuilt);
  await app.ready();
  return app;
}

/** Answers with a refusal in the form of the API that the request is for. */
function answerError({ url }: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  return isScim(url) ? sendScimError(reply, error) : sendError(reply, error);
}

/** Passes every body to the transcoder unchanged, with any content type. */
function readAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.addHook('onRequest', ({ raw }, _, done) => {
    // The content type is ignored (behaviour.md 0.5), and Fastify would refuse an invalid one.
    if (raw.headers['content-type'] !== undefined) delete raw.headers['content-type'];
    done();
  });
}
