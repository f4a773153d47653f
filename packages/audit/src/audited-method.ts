import {
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  hasOption,
  type Message,
} from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { eventTypes, payloadFiller } from '@steward/feed';
import { http } from '@steward/proto/google/api/annotations_pb.ts';
import type { HttpRule } from '@steward/proto/google/api/http_pb.ts';
import { Access, Audit } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type ContentHead, ContentHeadSchema } from '@steward/proto/steward/http/v1/content_pb.ts';
import { methodRules, type RequestField, requestFields, requestValue } from '@steward/rpc';
import { declarationsOf, fieldValue } from './field-declarations.ts';
import type { Fingerprint } from './fingerprints.ts';
import type { ReportedEvent } from './report-event.ts';
import { targetText } from './target-text.ts';

/**
 * Which calls of a method are recorded: `each`; those that are `reported` by the method with `recordCall`; or none but those by
 * an administrator who acts as another user, which are recorded of all methods.
 */
export type RecordedCalls = 'each' | 'reported' | 'as_another_user';

/** How the audit log records the calls of a method. */
export interface AuditedMethod {
  /** The name of the method in the log, from service and method, for example `user.deactivate`. */
  readonly action: string;
  readonly recordedCalls: RecordedCalls;
  /** Whether it is for administrators; all others belong to the client API. */
  readonly isAdministrative: boolean;
  /** Whether its calls have no side effects that users see. */
  readonly isRead: boolean;
  /** The fields of a request that its path contains. */
  readonly pathFields: ReadonlySet<DescField>;
  /**
   * The targets of a request: its path variables, of the client API only those that are ids, and the fields that are
   * declared to be targets. Secrets among them are replaced by their fingerprints.
   */
  targetsOfRequest(request: Message, fingerprint: Fingerprint): readonly string[];
  /** Further targets, which only the answer contains; of a stream, its first message. */
  targetsOfAnswer(answer: Message, fingerprint: Fingerprint): readonly string[];
  /** Whether an answer contains a secret, such as an access token. */
  hasSecret(answer: Message): boolean;
  /** The id of the task that the call started; empty for none. */
  taskOf(answer: Message): string;
  /** The type of the events of the feed that its calls make, unless the handler reports another one; empty for none. */
  readonly eventType: string;
  /**
   * The payload of the event that a successful call makes, as JSON.
   *
   * @throws TypeError when the reported event is none that the method declares
   */
  eventData(request: Message, answer: Message, reported?: ReportedEvent): string;
  /** The HTTP status of a success; of a stream, from its first message. */
  statusOf(answer: Message, profile: { readonly compat: boolean }): number;
}

const { NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;

const OK_STATUS = 200;
const CREATED_STATUS = 201;

const VARIABLE = /\{(\w+)\}/g;

/** The path variables of the client API that identify something which outlives the request. */
const ID = /(?<!txn)_id$|alias$/;

const known = new WeakMap<DescMethod, AuditedMethod>();

/** How a method is recorded. Options are decoded once for each method. */
export function auditedMethod(method: DescMethod): AuditedMethod {
  let audited = known.get(method);
  if (audited === undefined) {
    audited = decode(method);
    known.set(method, audited);
  }
  return audited;
}

/** @throws TypeError when an event that the method declares is unknown, or has fields that nothing fills */
function decode(method: DescMethod): AuditedMethod {
  const rules = methodRules(method);
  const bindings = hasOption(method, http) ? bindingsOf(getOption(method, http)) : [];
  const isAdministrative = rules.access === Access.ADMIN;
  const isGet = bindings.every(({ pattern }) => pattern.case === 'get');
  const variables = new Set(
    bindings.flatMap(({ pattern }) =>
      typeof pattern.value === 'string'
        ? [...pattern.value.matchAll(VARIABLE)].map(([, name = '']) => name)
        : [],
    ),
  );
  const fields = requestFields(method.input);
  const inPath = fields.flatMap(({ field }) => (variables.has(field.name) ? [field] : []));
  const named = fields.filter(
    ({ field }) =>
      (inPath.includes(field) && (isAdministrative || ID.test(field.name))) || declarationsOf(field).target,
  );
  const task = method.output.fields.find((field) => declarationsOf(field).task);
  const created = method.output.fields.find((field) => declarationsOf(field).created);
  const head = method.output.fields.find(({ message }) => message?.typeName === ContentHeadSchema.typeName);
  const pathFields = new Set(inPath);
  const [eventType = ''] = rules.events;
  const fillers = new Map(
    rules.events.map((type) => {
      const declared = eventTypes.get(type);
      if (!declared) throw new TypeError(`${method.name} declares the unknown type of events ${type}`);
      return [type, payloadFiller(method, declared, pathFields, type === eventType)];
    }),
  );
  return {
    action: actionOf(method),
    recordedCalls: recordedCalls(rules.audit, isAdministrative && !isGet),
    isAdministrative,
    isRead: isGet || method.idempotency === NO_SIDE_EFFECTS,
    pathFields,
    eventType,
    targetsOfRequest: (request, fingerprint) => targetsIn(named, request, fingerprint),
    targetsOfAnswer: (answer, fingerprint) => answeredTargets(method.output, answer, fingerprint),
    hasSecret: (answer) => hasSecret(method.output, answer),
    taskOf: (answer) => (task ? textOf(fieldValue(answer, task)) : ''),
    eventData(request, answer, reported) {
      const type = reported?.type ?? eventType;
      const fill = fillers.get(type);
      if (!fill) throw new TypeError(`${method.name} does not declare the type of events ${type}`);
      return fill(request, answer, reported?.values);
    },
    statusOf(answer, { compat }) {
      const sent = head && (fieldValue(answer, head) as ContentHead | undefined);
      if (sent) return sent.status;
      if (created && fieldValue(answer, created) === true) return CREATED_STATUS;
      return compat ? rules.compatStatus : OK_STATUS;
    },
  };
}

/** The calls of a method that are only planned: each is recorded, under another name, as a read that makes no event. */
export function plannedCalls(method: AuditedMethod): AuditedMethod {
  return {
    ...method,
    action: `${method.action}.plan`,
    recordedCalls: 'each',
    isRead: true,
    eventType: '',
    targetsOfAnswer: () => [],
    hasSecret: () => false,
    taskOf: () => '',
    statusOf: () => OK_STATUS,
  };
}

function recordedCalls(audit: Audit, changesAsAdministrator: boolean): RecordedCalls {
  if (audit === Audit.BY_HANDLER) return 'reported';
  return changesAsAdministrator ? 'each' : 'as_another_user';
}

function bindingsOf(rule: HttpRule): readonly HttpRule[] {
  return [rule, ...rule.additionalBindings];
}

/** `user.put_user` for `steward.user.v1.AccountService/PutUser`: method names are unique in a package. */
function actionOf({ parent, name }: DescMethod): string {
  const service = parent.file.proto.package.split('.')[1] ?? '';
  return `${service}.${name.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase()}`;
}

function targetsIn(
  fields: readonly RequestField[],
  message: Message,
  fingerprint: Fingerprint,
): readonly string[] {
  return fields.flatMap((each) => {
    const { field } = each;
    const text = textOf(requestValue(message, each));
    if (text === '') return [];
    const { redacted, targetPrefix } = declarationsOf(field);
    return [redacted ? fingerprint(text) : targetText(targetPrefix + text)];
  });
}

/** The targets of an answer and of its nested messages, because flattened messages are nested ones. */
function answeredTargets(schema: DescMessage, answer: Message, fingerprint: Fingerprint): readonly string[] {
  const declared = schema.fields.flatMap((field) =>
    declarationsOf(field).target ? [{ field, within: [] }] : [],
  );
  const nested = schema.fields.flatMap((field) => {
    if (field.fieldKind !== 'message') return [];
    const inner = fieldValue(answer, field);
    return inner === undefined ? [] : answeredTargets(field.message, inner as Message, fingerprint);
  });
  return [...targetsIn(declared, answer, fingerprint), ...nested];
}

/**
 * Whether a field of an answer, or of a message in it, has a value that is declared to be a secret. One that names what was made, as
 * the text of a registration token does, is none here: reads have it, too.
 */
function hasSecret(schema: DescMessage, answer: Message): boolean {
  return schema.fields.some((field) => {
    const value = fieldValue(answer, field);
    const { redacted, target } = declarationsOf(field);
    if (redacted && !target) return value !== undefined && String(value) !== '';
    if (field.fieldKind === 'message')
      return value !== undefined && hasSecret(field.message, value as Message);
    return (
      field.fieldKind === 'list' &&
      field.listKind === 'message' &&
      (value as readonly Message[]).some((item) => hasSecret(field.message, item))
    );
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'bigint' ? String(value) : '';
}
