import type { DescService } from '@bufbuild/protobuf';
import { type Binding, compile } from '../bindings.ts';
import type { Comments } from './comments.ts';
import { KEY_PARAMETER } from './idempotency-key.ts';
import { operation, PARAMETER, tagOf } from './operation.ts';
import { WAIT_PARAMETER } from './position.ts';
import { REASON_PARAMETER } from './reason.ts';
import { createSchemas, type Part, type Variants } from './schema.ts';

/** The metadata of the document. */
export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

const OPENAPI_VERSION = '3.1.1';

const securitySchemes: Part = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token of an account; in the administrative API also an automation token. The scopes are those that its holder needs.',
  },
  accessTokenParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description:
      'An access token of an account. Automation tokens are refused here, because logs contain URLs.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'steward-session',
    description:
      'The cookie of an administrator session, named __Host-steward-session over TLS. Requests of pages of other origins are refused. Some scopes require a recent proof of identity, see session/step_up.',
  },
};

const flowsSchema: Part = {
  type: 'array',
  description: 'The alternatives, each a list of stages to complete.',
  items: {
    type: 'object',
    properties: { stages: { type: 'array', items: { type: 'string' } } },
    required: ['stages'],
  },
};

const errorSchema: Part = {
  type: 'object',
  description: 'A refusal.',
  properties: {
    errcode: { type: 'string', description: 'The errcode, for programs.' },
    error: { type: 'string', description: 'The message, for humans.' },
    soft_logout: {
      type: 'boolean',
      description: 'Whether the client can resume the session by logging in again.',
    },
    retry_after_ms: {
      type: 'integer',
      format: 'int64',
      description: 'When to retry, in milliseconds from now.',
    },
    flows: flowsSchema,
    current: {
      type: 'object',
      description:
        'The present state of what the request would have changed, with its `etag` for `If-Match`; where a 409 or 412 concerns a case of reports.',
    },
  },
  required: ['errcode', 'error'],
};

const proofSchema: Part = {
  type: 'object',
  description: 'The proof that the caller must send in `auth` when it repeats the request.',
  properties: {
    flows: flowsSchema,
    params: { type: 'object', description: 'The parameters of stages, by the name of the stage.' },
    session: { type: 'string', description: 'The session, to be sent with each proof.' },
    completed: { type: 'array', description: 'The completed stages.', items: { type: 'string' } },
  },
  required: ['flows', 'params', 'session'],
};

/**
 * Describes the HTTP interface of services as an OpenAPI 3.1 document, derived from their descriptors.
 * The same input gives the same document, key for key.
 *
 * @param comments supplies the descriptions; see `readComments`
 * @param variants a message whose content is described by its type
 * @throws StartupError for what `compile` refuses
 */
export function openApi(
  services: readonly DescService[],
  info: OpenApiInfo,
  comments: Comments,
  variants?: Variants,
): object {
  const bindings = compile(services);
  const schemas = createSchemas(bindings, comments, variants);
  const paths: Record<string, Record<string, Part>> = {};
  const seen = new Map<string, number>();
  const templates = new Map<string, string>();
  for (const binding of bindings) {
    const name = `${binding.service.name}.${binding.method.name}`;
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    const verb = binding.verb.toLowerCase();
    const shape = binding.path.replaceAll(PARAMETER, '{}');
    // Templates that differ in the names of their parameters only are one path.
    const path = templates.get(shape) ?? binding.path;
    templates.set(shape, path);
    paths[path] = { ...paths[path], [verb]: operation(binding, { path, nth }, schemas, comments) };
  }
  const general = { Error: errorSchema, InteractiveProof: proofSchema };
  return {
    openapi: OPENAPI_VERSION,
    info,
    servers: [{ url: '/', description: 'The server from which this document was fetched.' }],
    tags: tags(bindings, comments),
    paths,
    components: {
      schemas: { ...general, ...schemas.components },
      parameters: { ...REASON_PARAMETER, ...WAIT_PARAMETER, ...KEY_PARAMETER },
      securitySchemes,
    },
  };
}

function tags(bindings: readonly Binding[], comments: Comments): readonly Part[] {
  const described = new Map<string, Part>();
  for (const binding of bindings) {
    const name = tagOf(binding);
    const description = comments(binding.service.typeName);
    described.set(name, { name, ...(description === undefined ? {} : { description }) });
  }
  return [...described.values()];
}
