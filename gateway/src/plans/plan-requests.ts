import { create, type DescMethodUnary, type DescService, toBinary } from '@bufbuild/protobuf';
import { type Client, Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { refuse, toConnectError } from '@steward/errors';
import type { Binding, Profile, ReadResult, RequestInput, Verb } from '@steward/http';
import { type CreatePlanRequest, CreatePlanResponseSchema } from '@steward/proto/steward/plan/v1/plan_pb.ts';
import type { PlanCallResponse, PlanService } from '@steward/proto/steward/user/v1/plans_pb.ts';
import type { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { checkAccess, headers } from '@steward/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseAutomationToken } from '../access-token.ts';
import { clientOf } from '../client-of.ts';
import { type KnownPaths, unknownVerb } from '../known-paths.ts';
import { resolvePrefix } from '../prefixes.ts';
import { escapeOnce, segmentsOf } from '../raw-path.ts';
import { planServices } from '../services.ts';
import { headerOf, queryOf, type ReadInput, type RequestContexts, sendJson } from '../transcode.ts';

/** How long a plan may take, in milliseconds. */
const PLAN_TIMEOUT_MS = 60_000;

/** What plans of requests need. */
export interface Planning {
  readonly paths: KnownPaths;
  /** Whether requests under the original prefixes are served. */
  readonly compatPrefixes: boolean;
  readonly transportOf: (service: DescService) => Transport;
  readonly sessions: Client<typeof SessionService>;
  readonly contexts: RequestContexts;
  /** Reads requests as their bindings do, large ones on another thread. */
  readonly read: ReadInput;
}

/** A request that is planned: its binding, and what of it the binding reads. */
interface PlannedRequest {
  readonly binding: Binding;
  readonly profile: Profile;
  readonly input: RequestInput;
}

/**
 * The handler of the method that answers what another request would do. It finds that request's method by the routes of all requests,
 * reads the request by its binding, and asks the service of the method for a plan, by a method that only plans: no process takes the
 * plan for the request itself. The headers of the caller, credentials and conditions among them, are those of the planned request.
 */
export function planRequests(
  binding: Binding<DescMethodUnary>,
  { paths, compatPrefixes, transportOf, sessions, contexts, read }: Planning,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const readPlanned = async (request: FastifyRequest): Promise<CreatePlanRequest> => {
    const profile = contexts.profileOf(request);
    const body = request.body as Uint8Array | undefined;
    const own = { params: segmentsOf(request), query: queryOf(request.raw.url ?? ''), body, profile };
    const { message, deferred } = await read(binding, { ...own, headers: request.headers }, request);
    if (deferred) throw toConnectError(deferred);
    return message as CreatePlanRequest;
  };
  const find = (request: FastifyRequest, { method, path, body }: CreatePlanRequest): PlannedRequest => {
    const { url, profile } = compatPrefixes ? resolvePrefix(path) : { url: path, profile: 'native' as const };
    const escaped = escapeOnce(url);
    const found = paths.find(escaped);
    const planned = found?.bindings.get(method as Verb);
    if (!found) throw paths.refusalOf(escaped);
    if (!planned) throw unknownVerb();
    return {
      binding: planned,
      profile,
      input: {
        params: segmentsOf({ params: namedAfter(planned, found.segments) }),
        query: queryOf(escaped),
        body: body === undefined ? undefined : Buffer.from(body),
        headers: request.headers,
        profile,
      },
    };
  };
  return async (request, reply) => {
    const own = headerOf(binding, request, contexts, {});
    const token = decodeURIComponent(own[headers.accessToken] ?? '');
    checkAccess(
      binding.rules.access,
      binding.rules,
      await sessions.authenticate({ accessToken: token, ...clientOf(request) }),
    );
    const { binding: planned, profile, input } = find(request, await readPlanned(request));
    const { method, rules, service, path } = planned;
    if (!rules.planned) throw refuse.unknown('This request cannot be planned');
    refuseAutomationToken(request.raw, path, token);
    if ((input.body?.length ?? 0) > rules.maxBodyBytes) throw refuse.tooLarge('The body is too large');
    const call = await read(planned, input, request);
    const header = headerOf(planned, request, contexts, call, profile);
    const answer = await planCall(transportOf, service, header, method as DescMethodUnary, call);
    const { status, body } = binding.write(
      create(CreatePlanResponseSchema, answer.plan ? { plan: answer.plan } : {}),
      contexts.profileOf(request),
    );
    return sendJson(reply, status, body);
  };
}

/** Asks the service that serves a method. */
async function planCall(
  transportOf: Planning['transportOf'],
  service: DescService,
  header: Readonly<Record<string, string>>,
  method: DescMethodUnary,
  { message }: ReadResult,
): Promise<PlanCallResponse> {
  const planService = planServices.find(({ file }) => file.proto.package === service.file.proto.package);
  if (!planService) throw new TypeError(`${service.typeName} is of a service that plans nothing`);
  const call = {
    method: `${service.typeName}/${method.name}`,
    request: toBinary(method.input, message),
  };
  const client = createClient(planService as typeof PlanService, transportOf(planService));
  const options = { headers: header, timeoutMs: PLAN_TIMEOUT_MS };
  return client.planCall({ call }, options).catch((error: unknown) => {
    if (error instanceof ConnectError && error.code === Code.Unimplemented && error.details.length === 0)
      throw refuse.unavailable(
        'The process that carries this request out is of a release that plans nothing',
      );
    throw error;
  });
}

/** The captured segments of a path under the names of the variables of a binding. */
function namedAfter({ segments }: Binding, captured: readonly string[]): Record<string, string> {
  const names = segments.flatMap((segment) => (segment.kind === 'variable' ? [segment.name] : []));
  return Object.fromEntries(names.map((name, index) => [name, captured[index] ?? '']));
}
