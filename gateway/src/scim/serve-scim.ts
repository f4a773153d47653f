import type { DescService } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { USUAL_BODY_BYTES } from '@steward/rpc';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { KnownPaths } from '../known-paths.ts';
import { segmentsOf } from '../raw-path.ts';
import { queryOf, type RequestContexts } from '../transcode.ts';
import { Accounts } from './accounts.ts';
import { discovery } from './discovery.ts';
import { names } from './entity-tags.ts';
import { queryOfParameters, queryOfSearch } from './list-query.ts';
import { project, readProjection } from './projection.ts';
import { readObject } from './read-json.ts';
import { requireDirectory } from './require-directory.ts';
import { notFound, ScimError, sendScimError } from './scim-error.ts';
import { SCIM_PATH } from './scim-path.ts';
import { sendScim } from './send-scim.ts';
import type { UserResource } from './user-resource.ts';
import { baseOf, listOf, Users } from './users.ts';

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
  const users = new Users(new Accounts(transportOf, contexts), config);
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
    sendScim(reply, 200, await users.list(request, queryOfParameters(parametersOf(request)))),
  );
  // Users are the only resources, so a search of all kinds is one of users.
  for (const path of ['/.search', '/Users/.search'])
    serve('POST', path, async (request, reply) =>
      sendScim(reply, 200, await users.list(request, queryOfSearch(bodyOf(request)))),
    );
  serve('POST', '/Users', async (request, reply) => {
    const user = await users.create(request, bodyOf(request));
    return sendUser(request, reply.header('location', user.meta.location), user, 201);
  });
  serve('GET', '/Users/:id', async (request, reply) => {
    const user = await users.get(request, idOf(request));
    const asked = request.headers['if-none-match'];
    if (asked !== undefined && names(asked, user.meta.version))
      return reply.code(304).header('etag', user.meta.version).send();
    return sendUser(request, reply, user);
  });
  serve('PUT', '/Users/:id', async (request, reply) =>
    sendUser(request, reply, await users.replace(request, idOf(request), bodyOf(request))),
  );
  serve('PATCH', '/Users/:id', async (request, reply) =>
    sendUser(request, reply, await users.patch(request, idOf(request), bodyOf(request))),
  );
  serve('DELETE', '/Users/:id', async (request, reply) => {
    await users.delete(request, idOf(request));
    return reply.code(204).send();
  });
}

function sendUser(
  request: FastifyRequest,
  reply: FastifyReply,
  user: UserResource,
  status = 200,
): FastifyReply {
  const sent = new Map([...parametersOf(request)].map(([name, value]) => [name.toLowerCase(), value]));
  return sendScim(reply.header('etag', user.meta.version), status, project(user, readProjection(sent)));
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
