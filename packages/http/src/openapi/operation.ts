import { Access, Body, Mode, Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type MethodRules, scopeName } from '@steward/rpc';
import type { Binding, EventStreamBinding } from '../bindings.ts';
import { fieldSourceOf } from '../field-source.ts';
import { flatFields, keyOf, type WireField, wireFields } from '../wire-field.ts';
import type { Comments } from './comments.ts';
import { errcodesOf } from './errcodes.ts';
import { exampleOf, exampleOfParameter } from './example.ts';
import { KEY_REFERENCE, REPLAYED, takesKey } from './idempotency-key.ts';
import { hasPosition, POSITION, WAIT_REFERENCE, waitsForChanges } from './position.ts';
import { REASON_REFERENCE, takesReason } from './reason.ts';
import type { Part, Schemas } from './schema.ts';

const JSON_TYPE = 'application/json';
const HTML_TYPE = 'text/html';
const EVENT_STREAM_TYPE = 'text/event-stream';
/** Bytes of any type; a header states which. */
const BYTES_SCHEMA = { schema: { type: 'string', format: 'binary' } };
const ANY_BYTES = { '*/*': BYTES_SCHEMA };
/** The header of answers with an entity tag. */
const ENTITY_TAG = {
  ETag: {
    description: 'The tag of the state that the answer shows, for the header `If-Match` of a change.',
    schema: { type: 'string' },
  },
};
const BYTES_PER_KIB = 1024;
const OK = '200';
const CREATED = '201';
const UNAUTHENTICATED = 401;
const ERROR = { $ref: '#/components/schemas/Error' };
/** The remaining stages of a proof; with an errcode when the last attempt failed. */
const PROOF = { anyOf: [ERROR, { $ref: '#/components/schemas/InteractiveProof' }] };

/** The tag of a service: its name without the suffix `Service`. */
export function tagOf(binding: Binding): string {
  return binding.service.name.replace(/Service$/, '');
}

/** A parameter in the template of a path. */
export const PARAMETER = /\{(\w+)\}/g;

/** How a document names a binding. */
interface Naming {
  /** The template of its path, in which parameters may have other names than in the binding. */
  readonly path: string;
  /** Its position among those of its method, from 0. */
  readonly nth: number;
}

/** Describes one binding. */
export function operation(
  binding: Binding,
  { path, nth }: Naming,
  schemas: Schemas,
  comments: Comments,
): Part {
  const theirs = parametersIn(path);
  const names = new Map(parametersIn(binding.path).map((name, position) => [name, theirs[position]]));
  const { method, service, rules } = binding;
  const comment = comments(`${service.typeName}.${method.name}`);
  const [summary] = comment?.split(/(?<=\.)\s/) ?? [];
  const notes = [
    comment,
    accessNotes[rules.access],
    ...scopeNotes(binding),
    modeNotes[rules.unavailableWith],
  ];
  const parameters = [
    ...flatFields(method.input).flatMap((field) => parameter(field, binding, names, schemas, comments)),
    ...headersOfEventStream(binding, schemas, comments),
    ...(takesReason(binding) ? [REASON_REFERENCE] : []),
    ...(waitsForChanges(binding) ? [WAIT_REFERENCE] : []),
    ...(takesKey(binding) ? [KEY_REFERENCE] : []),
  ];
  const body = requestBody(binding, schemas);
  return {
    operationId: `${service.name}_${method.name}${nth === 0 ? '' : `_${nth + 1}`}`,
    tags: [tagOf(binding)],
    ...(summary === undefined ? {} : { summary: summary.replace(/\.$/, '') }),
    description: notes.filter((note) => note !== undefined).join('\n\n'),
    ...(method.deprecated ? { deprecated: true } : {}),
    security: security(rules),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    ...list(binding),
    // A plan says what its requests would do.
    ...(rules.planned ? { 'x-planned': true } : {}),
    responses: responses(binding, schemas, comments),
  };
}

/**
 * Where the answer has the items of a list, and how its next page is requested, for generators of clients. No `items`: the answer itself
 * is the list.
 */
function list({ rules, responseBodyField }: Binding): Part {
  if (rules.list === undefined) return {};
  const { items, from, next, variants } = rules.list;
  return {
    'x-list': {
      ...(items === responseBodyField ? {} : { items }),
      ...(from === '' ? {} : { from, next }),
      ...(variants.length === 0
        ? {}
        : { variants: variants.map(({ field, value, items }) => ({ parameter: field, value, items })) }),
    },
  };
}

/** The headers that only the event stream of a path reads. */
function headersOfEventStream(binding: Binding, schemas: Schemas, comments: Comments): readonly Part[] {
  const { eventStream } = binding;
  if (!eventStream) return [];
  const { method } = eventStream;
  return flatFields(method.input)
    .filter(({ rules }) => rules.header !== '')
    .flatMap((field) => parameter(field, { ...binding, method }, new Map(), schemas, comments));
}

function parametersIn(path: string): readonly string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
}

const accessNotes: Partial<Record<Access, string>> = {
  [Access.NONE]: 'No token is needed.',
  [Access.OPTIONAL]: 'No token is needed; if one is sent, it must be valid.',
  [Access.GUEST]: 'For all accounts.',
  [Access.USER]: 'For all accounts except guests.',
};

const modeNotes: Partial<Record<Mode, string>> = {
  [Mode.DELEGATED_AUTH]: 'Not served when an external service manages the accounts.',
  [Mode.NO_COMPAT_PREFIXES]: 'Not served when the original prefixes are off.',
};

function scopeNotes({ rules: { scope, fieldScopes } }: Binding): readonly string[] {
  if (scope === Scope.UNSPECIFIED) return [];
  const fields = fieldScopes.map(
    ({ field, scope }) => `\`${keyOf(field)}\` requires \`${scopeName(scope)}\`.`,
  );
  return [[`For administrators with the scope \`${scopeName(scope)}\`.`, ...fields].join(' ')];
}

const OF_BODIES: ReadonlySet<string> = new Set(['content-type', 'content-length']);

function parameter(
  field: WireField,
  binding: Binding,
  names: ReadonlyMap<string, string | undefined>,
  schemas: Schemas,
  comments: Comments,
): readonly Part[] {
  const source = fieldSourceOf(field, binding);
  if (source !== 'path' && source !== 'query' && source !== 'header') return [];
  // OpenAPI describes the headers of a body with the body, not as parameters of the operation.
  if (OF_BODIES.has(field.rules.header)) return [];
  const description = comments(`${field.owner.typeName}.${field.name}`);
  const name = source === 'path' ? (names.get(field.name) ?? field.name) : field.rules.header || field.key;
  const schema = schemas.value(field, 'input');
  const example = exampleOfParameter(name, schema);
  return [
    {
      name,
      in: source,
      required: source === 'path' || field.rules.onMissing !== '',
      ...(description === undefined ? {} : { description }),
      schema,
      ...(example === undefined ? {} : { example }),
    },
  ];
}

function requestBody(binding: Binding, schemas: Schemas): Part | undefined {
  const { method, rules } = binding;
  if (method.methodKind === 'client_streaming') return { required: true, content: ANY_BYTES };
  if (rules.body === Body.IGNORED) return undefined;
  const fields = flatFields(method.input);
  const isWhole = fields.some((field) => fieldSourceOf(field, binding) === 'whole body');
  const inBody = fields.filter((field) => fieldSourceOf(field, binding) === 'body');
  const fixed = rules.refusesUnknownKeys ? { additionalProperties: false } : {};
  const schema = isWhole ? { type: 'object' } : { ...schemas.object(inBody, 'input'), ...fixed };
  const example = exampleOf(schema, schemas.components, 'input', method.input.name);
  return {
    description: `At most ${rules.maxBodyBytes / BYTES_PER_KIB} KiB.`,
    required: rules.body === Body.REQUIRED,
    content: { [JSON_TYPE]: { schema, example } },
    'x-max-body-bytes': rules.maxBodyBytes,
  };
}

function responses(binding: Binding, schemas: Schemas, comments: Comments): Part {
  const { method, responseBodyField, rules, eventStream } = binding;
  const fields = wireFields(method.output);
  const whole = fields.find(({ name }) => name === responseBodyField);
  const json = () => {
    const schema = whole ? schemas.value(whole, 'output') : schemas.message(method.output, 'output');
    return { [JSON_TYPE]: { schema, example: exampleOf(schema, schemas.components, 'output') } };
  };
  const ofEvents = eventStream ? eventsOf(binding, eventStream, comments) : {};
  const headers = {
    ...(rules.entityTag ? ENTITY_TAG : {}),
    ...(hasPosition(binding) ? POSITION : {}),
    ...(takesKey(binding) ? REPLAYED : {}),
  };
  const success = {
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: method.methodKind === 'server_streaming' ? bytesOf(rules) : { ...json(), ...ofEvents },
  };
  const created = fields.some((field) => field.rules.created);
  const ofPages = pagesOf(rules);
  const refusals = [...errcodesOf(binding)].map(([status, errcodes]) => [
    String(status),
    {
      ...refusal(errcodes, rules.interactive && status === UNAUTHENTICATED ? PROOF : ERROR, ofPages.refusals),
      'x-errcodes': errcodes,
    },
  ]);
  return {
    [OK]: { description: 'Done.', ...success },
    ...(created ? { [CREATED]: { description: 'Created.', ...success } } : {}),
    ...ofStream(binding),
    ...ofPages.redirect,
    ...Object.fromEntries(refusals),
  };
}

/** The answer to requests that prefer an event stream. */
function eventsOf({ service }: Binding, { method }: EventStreamBinding, comments: Comments): Part {
  const event = method.output.fields.find(({ name }) => name === 'events')?.message;
  const about = comments(`${service.typeName}.${method.name}`);
  return {
    [EVENT_STREAM_TYPE]: {
      schema: {
        type: 'string',
        description: [
          ...(about === undefined ? [] : [about]),
          `The id of a message is a position. A message with data is an event: its event is the type, its data a JSON object, ${event?.name}.`,
        ].join('\n\n'),
      },
    },
  };
}

/** The further answers of a stream whose request can ask for a range, or state the version that the client has. */
function ofStream({ method, rules }: Binding): Part {
  const headers = new Set(flatFields(method.input).map(({ rules }) => rules.header));
  return {
    ...(headers.has('range')
      ? {
          206: { description: 'The requested range.', content: bytesOf(rules) },
          416: { description: 'The range does not exist.' },
        }
      : {}),
    ...(headers.has('if-none-match') ? { 304: { description: 'Not modified.' } } : {}),
  };
}

/** The bytes of an answer, by the types that they can have. */
function bytesOf({ mediaTypes }: MethodRules): Part {
  if (mediaTypes.length === 0) return ANY_BYTES;
  return Object.fromEntries(mediaTypes.map((type) => [type, BYTES_SCHEMA]));
}

/** What answers have besides that of a method for browsers, which leads them further, and whose refusals are pages as well. */
function pagesOf(rules: MethodRules): { readonly redirect: Part; readonly refusals: Part } {
  if (!rules.mediaTypes.includes(HTML_TYPE)) return { redirect: {}, refusals: {} };
  return { redirect: { 302: { description: 'The browser is led further.' } }, refusals: bytesOf(rules) };
}

function refusal(errcodes: readonly string[], schema: Part, further: Part): Part {
  const example = { errcode: errcodes[0], error: 'What went wrong, in words' };
  return { description: errcodes.join(', '), content: { [JSON_TYPE]: { schema, example }, ...further } };
}

function security({ access, scope, anyCredential }: MethodRules): readonly Part[] {
  const scopes = scope === Scope.UNSPECIFIED ? [] : [scopeName(scope)];
  const token = [{ accessToken: scopes }, { accessTokenParameter: scopes }];
  if (access === Access.NONE) return [];
  const cookie = anyCredential ? [{ sessionCookie: scopes }] : [];
  return access === Access.OPTIONAL ? [{}, ...token, ...cookie] : [...token, ...cookie];
}
