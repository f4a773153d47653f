import type { DescMethodUnary } from '@bufbuild/protobuf';
import { type Client, createClient } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import { type Binding, type BoundMethod, compile, type Verb } from '@steward/http';
import { Mode } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AuditService } from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { isMeasuredByWork, requestFields } from '@steward/rpc';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions,
} from 'fastify';
import { awaitChanges } from './await-changes.ts';
import type { LargeBodyReader } from './bodies/large-body-reader.ts';
import { prefersEventStream } from './events/prefers-event-stream.ts';
import { sendEvents } from './events/send-events.ts';
import { guard } from './guard.ts';
import { type KnownPaths, unknownVerb } from './known-paths.ts';
import type { GatewayOptions } from './options.ts';
import { planRequests } from './plans/plan-requests.ts';
import { receiveBytes } from './raw/receive-bytes.ts';
import { sendBytes } from './raw/send-bytes.ts';
import { services } from './services.ts';
import { type ReadInput, type RequestContexts, readWith, transcode } from './transcode.ts';

/** The bytes of a streamed body that are in memory at once. */
const STREAMED_BYTES = 256 * 1024;

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

/** What the routes of bindings need. */
export interface Routing {
  readonly config: Config;
  /** Learns the paths that exist. */
  readonly paths: KnownPaths;
  readonly transportOf: GatewayOptions['transportOf'];
  readonly contexts: RequestContexts;
  readonly largeBodies: LargeBodyReader;
  /** Ends calls that wait when the gateway closes. */
  readonly abortsWaits: AbortSignal;
  readonly eventDependencies: Parameters<typeof sendEvents>[4];
}

/** Adds a route for each binding that is available, and the refusals of other verbs at the same paths. */
export function serveBindings(app: FastifyInstance, routing: Routing): void {
  const { config, paths, transportOf, contexts, largeBodies } = routing;
  const read = readWith(largeBodies);
  const bindings = compile(services).filter((binding) => isAvailable(binding, config));
  const bindingsOf = new Map<string, Map<Verb, Binding>>();
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
      handler: handle(binding, { ...routing, sessions, read }),
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
    bindingsOf.set(shape, (bindingsOf.get(shape) ?? new Map()).set(binding.verb, binding));
  }
  app.register(async (scope) => {
    passBodiesOn(scope);
    for (const route of streamed) scope.route(route);
  });
  const verbs = [...new Set(bindings.map(({ verb }) => verb))];
  for (const [shape, supported] of bindingsOf) {
    const url = withNumberedParams(shape);
    paths.add(url, supported);
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
  return requestFields(method.input).some(
    ({ field }) => variables.has(field.name) && field.proto.options?.debugRedact === true,
  );
}

/** The handler of a binding. Streams are forwarded as bytes or as events, everything else is JSON. */
function handle(
  binding: Binding,
  routing: Routing & { readonly sessions: Client<typeof SessionService>; readonly read: ReadInput },
) {
  const { read, abortsWaits, eventDependencies } = routing;
  const dependencies = [routing.transportOf, routing.contexts] as const;
  if (isMethodKind(binding, 'client_streaming')) return receiveBytes(binding, ...dependencies);
  if (isMethodKind(binding, 'server_streaming')) return sendBytes(binding, ...dependencies);
  const unary = binding as Binding<DescMethodUnary>;
  if (binding.rules.plansRequests)
    return planRequests(unary, { ...routing, compatPrefixes: routing.config.server.compat_prefixes });
  const answer = transcode(unary, ...dependencies, read, abortsWaits);
  const { eventStream } = binding;
  if (!eventStream) return answer;
  const stream = sendEvents(binding, eventStream, ...dependencies, eventDependencies);
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

/** Passes bodies to their handlers while they are received. */
function passBodiesOn(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_, payload, done) => done(null, payload));
}

async function refuseVerb(): Promise<never> {
  throw unknownVerb();
}
