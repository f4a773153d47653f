import type { IncomingMessage } from 'node:http';
import type { DescMethodUnary, DescService } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import { refuse, toRefusal } from '@steward/errors';
import { type Binding, type BoundMethod, compile } from '@steward/http';
import { Mode } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AuditService } from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { isMeasuredByWork, isUnreportedFault, USUAL_BODY_BYTES } from '@steward/rpc';
import { requestId, traceparent } from '@steward/telemetry';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onRequestHookHandler,
  type RouteOptions,
} from 'fastify';
import { Drain } from './admission/drain.ts';
import { KnownTokens } from './admission/known-tokens.ts';
import { limitAdmission } from './admission/limit-admission.ts';
import { awaitChanges } from './await-changes.ts';
import { createLargeBodyReader, type LargeBodyReader } from './bodies/large-body-reader.ts';
import { closeGracefully } from './close-gracefully.ts';
import { CONSOLE_PATH } from './console/console-path.ts';
import { serveConsole } from './console/serve-console.ts';
import { serveDocumentation } from './documentation/serve-documentation.ts';
import { EventStreams } from './events/event-streams.ts';
import { prefersEventStream } from './events/prefers-event-stream.ts';
import { sendEvents } from './events/send-events.ts';
import { guard } from './guard.ts';
import { headerValue } from './header-value.ts';
import { serveHealth } from './health.ts';
import { KnownPaths, unknownPath, unknownVerb } from './known-paths.ts';
import { observeRequests } from './observe-requests.ts';
import type { GatewayOptions } from './options.ts';
import { resolvePrefix } from './prefixes.ts';
import { receiveBytes } from './raw/receive-bytes.ts';
import { sendBytes } from './raw/send-bytes.ts';
import { STALL_LIMIT_MS } from './raw/stall.ts';
import { ESCAPED_GROWTH, escapeOnce } from './raw-path.ts';
import { setResponseHeaders } from './response-headers.ts';
import { serveRoot } from './serve-root.ts';
import { services } from './services.ts';
import { readSessionCookies } from './sessions/session-cookie.ts';
import { Site } from './sessions/site.ts';
import { traceRequests } from './trace-requests.ts';
import { type RequestContexts, sendError, transcode } from './transcode.ts';
import { TrustedProxies } from './trusted-proxies.ts';

/** The size limit of request line and headers, in bytes; enough for long ids. */
const HEADER_LIMIT_BYTES = 64 * 1024;

/** Parameters of paths are as long as the request line permits. */
const ROUTER_OPTIONS = { maxParamLength: HEADER_LIMIT_BYTES * ESCAPED_GROWTH };

/** How long a client may take to send request line and headers, in milliseconds. */
const HEAD_TIMEOUT_MS = 10_000;

/** How often connections are checked for that, in milliseconds. */
const HEAD_CHECK_MS = 2_000;

/** The bytes of a streamed body that are in memory at once. */
const STREAMED_BYTES = 256 * 1024;

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
  const drain = new Drain();
  readAnyBody(app);
  app.setErrorHandler(async (error, request, reply) => {
    const refused = fromFastify(error);
    const refusal = toRefusal(refused);
    release(request);
    const isRead = refusal.status !== SLOW_STATUS && (await drain.discard(request.raw));
    if (!isRead) reply.header('connection', 'close');
    if (isUnreportedFault(error, refusal)) {
      // A client that aborts its request is no fault of the server.
      request.log[request.raw.destroyed ? 'debug' : 'error'](
        { reqId: request.id, err: error },
        'request failed',
      );
    }
    return sendError(reply, refused);
  });
  // Before the body is read, which would otherwise be refused for its size.
  app.addHook('onRequest', ({ is404, raw }, _, done) =>
    done(is404 ? paths.refusalOf(raw.url ?? '') : undefined),
  );
  app.setNotFoundHandler((_, reply) => sendError(reply, unknownPath()));

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
  serveBindings(
    app,
    compile(services).filter((binding) => isAvailable(binding, config)),
    paths,
    transportOf,
    contexts,
    largeBodies,
    shutdown.abortsWaits,
    { streams, random },
  );
  serveRoot(app, isConsoleBuilt);
  await app.ready();
  return app;
}

/** Notes that the server failed after the head of an answer was sent: the lines of Fastify that are kept. */
class FaultsOfStreams extends LogController {
  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    // A client that aborts its request is no fault of the server.
    if (reply.raw.destroyed) return;
    request.isCutOff = true;
    if (!isUnreportedFault(error, toRefusal(error))) return;
    request.log.error({ reqId: request.id, err: error }, 'request failed');
  }
}

/** Whether the paths of a method exist in the mode that the server runs in (behaviour.md 12). */
function isAvailable({ rules }: Binding, config: Config): boolean {
  switch (rules.unavailableWith) {
    case Mode.DELEGATED_AUTH:
      return !config.delegated_authentication.enabled;
    case Mode.NO_COMPAT_PREFIXES:
      return config.server.compat_prefixes;
    default:
      return true;
  }
}

function serveBindings(
  app: FastifyInstance,
  bindings: readonly Binding[],
  paths: KnownPaths,
  transportOf: GatewayOptions['transportOf'],
  contexts: RequestContexts,
  largeBodies: LargeBodyReader,
  abortsWaits: AbortSignal,
  ofEvents: Parameters<typeof sendEvents>[4],
): void {
  const verbsOf = new Map<string, Set<string>>();
  const secretShapes = new Set(bindings.filter(isPathSecret).map(shapeOf));
  const streamed: RouteOptions[] = [];
  const sessions = createClient(SessionService, transportOf(SessionService));
  const log = createClient(AuditService, transportOf(AuditService));
  for (const binding of bindings) {
    const shape = shapeOf(binding);
    const hasSecretPath = secretShapes.has(shape);
    const preHandler = awaitChanges(binding, sessions, log);
    const route: RouteOptions = {
      ...(preHandler ? { preHandler } : {}),
      method: binding.verb,
      url: binding.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      onRequest: binding.eventStream
        ? [varyByAccept, guard(binding, sessions, contexts)]
        : guard(binding, sessions, contexts),
      handler: handle(binding, largeBodies, abortsWaits, ofEvents, transportOf, contexts),
      config: {
        longPoll: binding.rules.maxWaitMs > 0,
        isWork: isMeasuredByWork(binding.method),
        hasSecretPath,
      },
    };
    if (isMethodKind(binding, 'client_streaming')) {
      streamed.push({ ...route, bodyLimit: STREAMED_BYTES, config: { ...route.config, streamsBody: true } });
    } else {
      app.route({ ...route, bodyLimit: binding.rules.maxBodyBytes });
    }
    verbsOf.set(shape, (verbsOf.get(shape) ?? new Set()).add(binding.verb));
  }
  app.register(async (scope) => {
    passBodiesOn(scope);
    for (const route of streamed) scope.route(route);
  });
  const verbs = [...new Set(bindings.map(({ verb }) => verb))];
  for (const [shape, supported] of verbsOf) {
    const url = withNumberedParams(shape);
    paths.add(url);
    app.route({
      method: verbs.filter((verb) => !supported.has(verb)),
      url,
      exposeHeadRoute: true,
      onRequest: refuseVerb,
      handler: refuseVerb,
      config: { hasSecretPath: secretShapes.has(shape) },
    });
  }
}

/** The path of a binding without the names of its variables. */
function shapeOf({ path }: Binding): string {
  return path.replaceAll(/\{\w+\}/g, ':_');
}

/** Whether the path of a binding contains the value of a secret field. */
function isPathSecret({ method, variables }: Binding): boolean {
  return method.input.fields.some(
    ({ name, proto }) => variables.has(name) && proto.options?.debugRedact === true,
  );
}

/** The handler of a binding. Streams are forwarded as bytes or as events, everything else is JSON. */
function handle(
  binding: Binding,
  largeBodies: LargeBodyReader,
  abortsWaits: AbortSignal,
  ofEvents: Parameters<typeof sendEvents>[4],
  ...dependencies: [GatewayOptions['transportOf'], RequestContexts]
) {
  if (isMethodKind(binding, 'client_streaming')) return receiveBytes(binding, ...dependencies);
  if (isMethodKind(binding, 'server_streaming')) return sendBytes(binding, ...dependencies);
  const answer = transcode(binding as Binding<DescMethodUnary>, ...dependencies, largeBodies, abortsWaits);
  const { eventStream } = binding;
  if (!eventStream) return answer;
  const stream = sendEvents(binding, eventStream, ...dependencies, ofEvents);
  return (request: FastifyRequest, reply: FastifyReply) =>
    (prefersEventStream(request.headers.accept) ? stream : answer)(request, reply);
}

/** Lets caches know that the answer depends on the type that the client prefers. */
const varyByAccept: onRequestHookHandler = (_, reply, done) => {
  reply.header('vary', 'Accept');
  done();
};

function isMethodKind<Kind extends BoundMethod['methodKind']>(
  binding: Binding,
  kind: Kind,
): binding is Binding<Extract<BoundMethod, { readonly methodKind: Kind }>> {
  return binding.method.methodKind === kind;
}

function withNumberedParams(shape: string): string {
  let count = 0;
  return shape.replaceAll(':_', () => `:p${count++}`);
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

/** Passes bodies to their handlers while they are received. */
function passBodiesOn(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_, payload, done) => done(null, payload));
}

async function refuseVerb(): Promise<never> {
  throw unknownVerb();
}

/** Converts Fastify's own errors to the documented refusals. */
function fromFastify(error: unknown): unknown {
  const { code } = error as { code?: string };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse.tooLarge('The body is too large');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refuse.notJson('The body is not as long as announced');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return refuse.notJson('The body is not JSON');
    default:
      return error;
  }
}

/** Answers invalid HTTP and too large headers in the form of all refusals. */
function answerUnreadable(error: Error & { code?: string }, socket: import('node:net').Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const tooSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = tooLarge
    ? '431 Request Header Fields Too Large'
    : tooSlow
      ? '408 Request Timeout'
      : '400 Bad Request';
  const errcode = tooLarge ? 'M_TOO_LARGE' : 'M_UNKNOWN';
  const body = JSON.stringify({ errcode, error: 'The request does not read' });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nAccess-Control-Allow-Origin: *\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
