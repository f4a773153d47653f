import type { DescService } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import { toRefusal } from '@steward/errors';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { GroupService } from '@steward/proto/steward/user/v1/groups_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { USUAL_BODY_BYTES } from '@steward/rpc';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { KnownPaths } from '../known-paths.ts';
import { segmentsOf } from '../raw-path.ts';
import { queryOf, type RequestContexts } from '../transcode.ts';
import { Accounts } from './accounts.ts';
import { AdminCalls } from './admin-calls.ts';
import { baseOf } from './base-of.ts';
import { discovery } from './discovery.ts';
import { names } from './entity-tags.ts';
import { Groups } from './groups.ts';
import { listOf } from './list-of.ts';
import { GROUP_ORDERS, queryOfParameters, queryOfSearch, USER_ORDERS } from './list-query.ts';
import { type Projection, project, readProjection } from './projection.ts';
import { readObject } from './read-json.ts';
import { requireDirectory } from './require-directory.ts';
import { notFound, ScimError, sendScimError } from './scim-error.ts';
import { SCIM_PATH } from './scim-path.ts';
import { sendScim } from './send-scim.ts';
import { Users } from './users.ts';

const FORBIDDEN = 403;

/** What the SCIM service needs. */
export interface ScimDependencies {
  readonly config: Config;
  /** Learns the paths that exist. */
  readonly paths: KnownPaths;
  readonly transportOf: (service: DescService) => Transport;
  readonly contexts: RequestContexts;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | FastifyReply;

/**
 * Serves SCIM 2.0 (RFC 7643, RFC 7644) to the directories of organisations: another dialect for what the administration API does. Every
 * endpoint admits the same callers.
 */
export function serveScim(app: FastifyInstance, dependencies: ScimDependencies): void {
  const { config, paths, transportOf, contexts } = dependencies;
  const sessions = createClient(SessionService, transportOf(SessionService));
  const calls = new AdminCalls([AccountService, GroupService], transportOf, contexts);
  const users = new Users(new Accounts(calls), config);
  const groups = new Groups(calls, config);
  const known = new Set<string>();
  const serve = (method: HTTPMethods, path: string, handler: Handler) => {
    const url = `${SCIM_PATH}${path}`;
    if (!known.has(url)) paths.add(url);
    known.add(url);
    app.route({
      method,
      url,
      bodyLimit: USUAL_BODY_BYTES,
      async handler(request, reply) {
        await requireDirectory(sessions, request);
        try {
          return await handler(request, reply);
        } catch (error) {
          if (error instanceof ScimError) return sendScimError(reply, error);
          throw error;
        }
      },
    });
  };
  const documents = (request: FastifyRequest) => discovery(baseOf(request, config.server.public_baseurl));
  serve('GET', '/ServiceProviderConfig', (request, reply) =>
    sendScim(reply, 200, documents(request).ServiceProviderConfig),
  );
  for (const kind of ['Schemas', 'ResourceTypes'] as const) {
    serve('GET', `/${kind}`, (request, reply) => {
      // RFC 7644, 4: these are not filtered, so that a client does not take a part for the whole.
      if (parametersOf(request).has('filter')) throw new ScimError(403, undefined, 'This is not filtered');
      return sendScim(reply, 200, listOf([...documents(request)[kind].values()]));
    });
    serve('GET', `/${kind}/:id`, (request, reply) => {
      const document = documents(request)[kind].get(idOf(request));
      if (!document) throw notFound();
      return sendScim(reply, 200, document);
    });
  }
  serve('GET', '/Users', async (request, reply) =>
    sendScim(reply, 200, await users.list(request, queryOfParameters(parametersOf(request), USER_ORDERS))),
  );
  serve('POST', '/Users/.search', async (request, reply) =>
    sendScim(reply, 200, await users.list(request, queryOfSearch(bodyOf(request), USER_ORDERS))),
  );
  serve('POST', '/.search', async (request, reply) => {
    const query = queryOfSearch(bodyOf(request), USER_ORDERS);
    const { totalResults, Resources: found } = await users.list(request, query);
    // The groups come after all users.
    const rest = {
      startIndex: Math.max(1, query.startIndex - totalResults),
      count: query.count - found.length,
    };
    const ofGroups = await groups.list(request, { ...query, ...rest }).catch((error: unknown) => {
      // A directory that keeps users only has no scope for groups.
      if (toRefusal(error).status === FORBIDDEN) return listOf([]);
      throw error;
    });
    const all = [...found, ...ofGroups.Resources];
    return sendScim(reply, 200, listOf(all, totalResults + ofGroups.totalResults, query.startIndex));
  });
  serve('POST', '/Users', async (request, reply) => {
    const user = await users.create(request, bodyOf(request));
    return sendResource(request, reply.header('location', user.meta.location), user, 201);
  });
  serve('GET', '/Users/:id', async (request, reply) =>
    sendUnlessKnown(request, reply, await users.get(request, idOf(request))),
  );
  serve('PUT', '/Users/:id', async (request, reply) =>
    sendResource(request, reply, await users.replace(request, idOf(request), bodyOf(request))),
  );
  serve('PATCH', '/Users/:id', async (request, reply) =>
    sendResource(request, reply, await users.patch(request, idOf(request), bodyOf(request))),
  );
  serve('DELETE', '/Users/:id', async (request, reply) => {
    await users.delete(request, idOf(request));
    return reply.code(204).send();
  });
  serve('GET', '/Groups', async (request, reply) =>
    sendScim(reply, 200, await groups.list(request, queryOfParameters(parametersOf(request), GROUP_ORDERS))),
  );
  serve('POST', '/Groups/.search', async (request, reply) =>
    sendScim(reply, 200, await groups.list(request, queryOfSearch(bodyOf(request), GROUP_ORDERS))),
  );
  serve('POST', '/Groups', async (request, reply) => {
    const group = await groups.create(request, bodyOf(request));
    return sendResource(request, reply.header('location', group.meta.location), group, 201);
  });
  serve('GET', '/Groups/:id', async (request, reply) => {
    const group = await groups.get(request, idOf(request), projectionOf(request));
    return sendUnlessKnown(request, reply, group);
  });
  serve('PUT', '/Groups/:id', async (request, reply) => {
    const group = await groups.replace(request, idOf(request), bodyOf(request), projectionOf(request));
    return sendResource(request, reply, group);
  });
  serve('PATCH', '/Groups/:id', async (request, reply) => {
    const group = await groups.patch(request, idOf(request), bodyOf(request), projectionOf(request));
    return sendResource(request, reply, group);
  });
  serve('DELETE', '/Groups/:id', async (request, reply) => {
    await groups.delete(request, idOf(request));
    return reply.code(204).send();
  });
}

/** A resource with its version, if it has one: it does where all is shown on which that depends. */
interface Versioned {
  readonly meta: { readonly version?: string };
}

/** Answers with a resource, or that the client knows its version. */
function sendUnlessKnown(request: FastifyRequest, reply: FastifyReply, resource: Versioned): FastifyReply {
  const asked = request.headers['if-none-match'];
  const { version } = resource.meta;
  if (asked !== undefined && version !== undefined && names(asked, version))
    return reply.code(304).header('etag', version).send();
  return sendResource(request, reply, resource);
}

function sendResource(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Versioned,
  status = 200,
): FastifyReply {
  const { version } = resource.meta;
  if (version !== undefined) reply.header('etag', version);
  return sendScim(reply, status, project(resource, projectionOf(request)));
}

function projectionOf(request: FastifyRequest): Projection {
  const sent = [...parametersOf(request)].map(([name, value]) => [name.toLowerCase(), value] as const);
  return readProjection(new Map(sent));
}

function parametersOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(queryOf(request.raw.url ?? ''));
}

function bodyOf(request: FastifyRequest) {
  return readObject(request.body as Uint8Array | undefined);
}

function idOf(request: FastifyRequest): string {
  return segmentsOf(request).id ?? '';
}
