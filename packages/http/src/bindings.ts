import {
  type DescMessage,
  type DescMethod,
  type DescMethodBiDiStreaming,
  type DescMethodServerStreaming,
  type DescService,
  getOption,
  hasOption,
} from '@bufbuild/protobuf';
import { http } from '@steward/proto/google/api/annotations_pb.ts';
import type { HttpRule } from '@steward/proto/google/api/http_pb.ts';
import { Access, Body } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { ContentHeadSchema } from '@steward/proto/steward/http/v1/content_pb.ts';
import { type MethodRules, methodRules, StartupError } from '@steward/rpc';
import { ALL_FIELDS, type FieldLayout } from './field-source.ts';
import { parseTemplate, type Segment, shapeOfPath } from './path-template.ts';
import type { Profile } from './profile.ts';
import { objectReaders } from './read-body.ts';
import { type CheckPath, compilePathCheck, compileRequest, type ReadRequest } from './read-request.ts';
import type { ObjectReaders } from './read-value.ts';
import { flatFields, isRaw } from './wire-field.ts';
import { compileAnswer, type WriteAnswer } from './write-answer.ts';
import { createWriters, type Writers, type WriteValue } from './write-message.ts';

/** The HTTP methods that a route can have. */
export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

/** A method that can have a path: it streams in one direction at most, see `checkStream`. */
export type BoundMethod = Exclude<DescMethod, DescMethodBiDiStreaming>;

/** One HTTP route of one RPC, with everything that serving it needs. */
export interface Binding<Method extends BoundMethod = BoundMethod> extends FieldLayout {
  readonly method: Method;
  readonly service: DescService;
  readonly verb: Verb;
  /** The template as it is declared, for example `/_service/admin/v2/users/{user_id}`. */
  readonly path: string;
  /** The segments of the template; variables are named like the fields that they fill. */
  readonly segments: readonly Segment[];
  /** The name of the field that is the whole response body; empty when the message is. */
  readonly responseBodyField: string;
  readonly rules: MethodRules;
  /** Reads a request. Never throws: it returns a violation together with what was read before it. */
  readonly read: ReadRequest;
  /** Returns the violation that `read` would find in the path. Never throws. */
  readonly checkPath: CheckPath;
  /** Writes the answer of a successful call. */
  readonly write: WriteAnswer;
  /** What answers requests that prefer an event stream; absent where the path has none. */
  readonly eventStream?: EventStreamBinding;
}

/** The method that answers requests to the path of another one with an event stream. */
export interface EventStreamBinding {
  readonly method: DescMethodServerStreaming;
  /** Reads a request, as that of a binding. */
  readonly read: ReadRequest;
  /** Writes one of the `events` of a message as JSON text without line breaks between its members. */
  readonly writeEvent: WriteValue;
}

/** The fields of a message of an event stream, and those of its events. */
const POSITION_FIELD = 'position';
const EVENTS_FIELD = 'events';
const TYPE_FIELD = 'type';

/** The field with the bytes of one piece of a streamed body. */
const RAW_FIELD = 'data';
/** The field with the status and headers, in the first piece of a streamed answer. */
const HEAD_FIELD = 'head';

interface Context {
  readonly objectOf: ObjectReaders;
  readonly writers: Readonly<Record<Profile, Writers>>;
}

const verbs: Readonly<Record<string, Verb>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  delete: 'DELETE',
  patch: 'PATCH',
};

/**
 * Compiles the routes of all methods that declare any, in the order of declaration. Every option is decoded
 * here, once.
 *
 * @throws StartupError naming the method, for a contract that cannot be served as it is declared
 */
export function compile(services: readonly DescService[]): readonly Binding[] {
  const context = {
    objectOf: objectReaders(),
    writers: { native: createWriters('native'), compat: createWriters('compat') },
  };
  const bindings = services.flatMap((service) =>
    service.methods.flatMap((method) => inMethod(method, () => compileMethod(service, method, context))),
  );
  const taken = new Map<string, Binding>();
  for (const binding of bindings) {
    const route = `${binding.verb} ${shapeOfPath(binding.segments)}`;
    const other = taken.get(route);
    if (other) throw new StartupError(`${binding.method}: ${route} is the route of ${other.method} as well`);
    taken.set(route, binding);
  }
  return bindings;
}

function inMethod<T>(method: DescMethod, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof StartupError) throw new StartupError(`${method}: ${error.message}`);
    throw error;
  }
}

function compileMethod(service: DescService, method: DescMethod, context: Context): readonly Binding[] {
  const rules = methodRules(method);
  if (!hasOption(method, http)) return [];
  if (method.methodKind === 'bidi_streaming')
    throw new StartupError('a method that streams both ways cannot have a path');
  checkStream(method);
  if (rules.access === Access.INTERNAL) throw new StartupError('an internal method cannot have a path');
  const main = getOption(method, http);
  if (main.additionalBindings.some((rule) => rule.additionalBindings.length > 0))
    throw new StartupError('an additional binding has additional bindings');
  return [main, ...main.additionalBindings].map((rule) => compileRule(service, method, rules, rule, context));
}

/** Checks that a streaming method carries a body that is not JSON, in pieces of the form that the gateway knows. */
function checkStream({ methodKind, input, output }: BoundMethod): void {
  const pieces =
    methodKind === 'client_streaming' ? input : methodKind === 'server_streaming' ? output : undefined;
  for (const message of [input, output]) {
    const raw = message.fields.filter(isRaw).map(({ name }) => name);
    if (raw.join() !== (message === pieces ? RAW_FIELD : ''))
      throw new StartupError(
        `${message}: pieces of a body have one raw field, '${RAW_FIELD}', nothing else has`,
      );
  }
  if (methodKind !== 'server_streaming') return;
  const head = output.fields.find(({ name }) => name === HEAD_FIELD)?.message;
  if (head?.typeName !== ContentHeadSchema.typeName)
    throw new StartupError(
      `${output}: pieces of an answer have a '${HEAD_FIELD}', a ${ContentHeadSchema.typeName}`,
    );
}

function compileRule(
  service: DescService,
  method: BoundMethod,
  rules: MethodRules,
  rule: HttpRule,
  { objectOf, writers }: Context,
): Binding {
  const { verb, path } = routeOf(rule);
  const segments = parseTemplate(path);
  const variables = new Set(segments.flatMap((part) => (part.kind === 'variable' ? [part.name] : [])));
  const names = new Set(flatFields(method.input).map(({ name }) => name));
  for (const name of variables)
    if (!names.has(name))
      throw new StartupError(`the path variable '${name}' is not a field of ${method.input}`);
  checkBody(method, rules, rule, verb, variables);
  const plan = {
    message: method.input,
    variables,
    bodyField: rule.body,
    body: rules.body,
    refusesUnknownKeys: rules.refusesUnknownKeys,
  };
  const eventStream = eventStreamOf(service, rules, plan, { objectOf, writers });
  return {
    method,
    service,
    verb,
    path,
    segments,
    variables,
    bodyField: rule.body,
    responseBodyField: rule.responseBody,
    rules,
    read: compileRequest(plan, objectOf),
    checkPath: compilePathCheck(plan),
    write: compileAnswer(method.output, rule.responseBody, rules, writers),
    ...(eventStream ? { eventStream } : {}),
  };
}

/** Compiles the declared event stream of a path. */
function eventStreamOf(
  service: DescService,
  { access, scope, eventStream }: MethodRules,
  { variables, bodyField, body }: FieldLayout & Pick<MethodRules, 'body'>,
  { objectOf, writers }: Context,
): EventStreamBinding | undefined {
  if (eventStream === '') return undefined;
  const found = service.methods.find(({ name }) => name === eventStream);
  if (found?.methodKind !== 'server_streaming' || hasOption(found, http))
    throw new StartupError(`event_stream: ${eventStream} is not a streaming method without a path`);
  const method = found as DescMethodServerStreaming;
  const own = methodRules(method);
  // The guard of the path checks credentials by the rules of its method.
  if (own.access !== access || own.scope !== scope)
    throw new StartupError(`event_stream: ${eventStream} has another access or scope`);
  const event = method.output.fields.find(({ name }) => name === EVENTS_FIELD)?.message;
  if (!event || !hasFields(method.output, POSITION_FIELD) || !hasFields(event, POSITION_FIELD, TYPE_FIELD))
    throw new StartupError(
      `event_stream: ${method.output} has no position, or no events with one and a type`,
    );
  return {
    method,
    read: compileRequest({ message: method.input, variables, bodyField, body }, objectOf),
    writeEvent: writers.native({ kind: 'message', message: event }),
  };
}

function hasFields({ fields }: DescMessage, ...names: readonly string[]): boolean {
  return names.every((name) => fields.some((field) => field.name === name));
}

function routeOf({ pattern }: HttpRule): { readonly verb: Verb; readonly path: string } {
  const verb = pattern.case === undefined ? undefined : verbs[pattern.case];
  if (verb === undefined || typeof pattern.value !== 'string')
    throw new StartupError('a binding has none of the verbs get, post, put, delete and patch');
  return { verb, path: pattern.value };
}

function checkBody(
  method: BoundMethod,
  rules: MethodRules,
  { body }: HttpRule,
  verb: Verb,
  variables: ReadonlySet<string>,
): void {
  if (rules.body === Body.IGNORED && body !== '')
    throw new StartupError(`the binding has body: "${body}" and the rules have none`);
  if (rules.body !== Body.IGNORED && body === '')
    throw new StartupError('the rules have a body and the binding has none');
  if (body !== '' && verb === 'GET') throw new StartupError('the body of a GET is not read');
  if (body === '' || body === ALL_FIELDS) return;
  const field = flatFields(method.input).find(({ name }) => name === body);
  if (field?.shape.kind !== 'json' || variables.has(body))
    throw new StartupError(`the body is for '${body}', which is not a field with JSON text`);
}
