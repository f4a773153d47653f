import { createHash } from 'node:crypto';
import {
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  hasOption,
  type Message,
} from '@bufbuild/protobuf';
import { http } from '@steward/proto/google/api/annotations_pb.ts';
import type { HttpRule } from '@steward/proto/google/api/http_pb.ts';
import { Access, Audit } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { methodRules } from '@steward/rpc';
import { fieldValue, wordsOf } from './field-words.ts';
import { targetText } from './target-text.ts';

/** How the calls of a method are recorded. */
export interface AuditedMethod {
  /** What the log calls it: the service and the method, for example `user.deactivate`. */
  readonly action: string;
  /** Whether each call is recorded, or those that the method itself says, see `recordChange`. */
  readonly each: boolean;
  /** What a request is about: the variables of its path, and fields that are declared to be targets. */
  targetsOfRequest(request: Message): readonly string[];
  /** What else it was about, as only its answer tells. */
  targetsOfAnswer(answer: Message): readonly string[];
  /** The task that it began; empty for none. */
  taskOf(answer: Message): string;
  /** The HTTP status of a success. */
  statusOf(answer: Message, profile: { readonly compat: boolean }): number;
}

const OK_STATUS = 200;
const CREATED_STATUS = 201;

const VARIABLE = /\{(\w+)\}/g;

/** As much of the digest of a secret as tells it from others, in hexadecimal characters. */
const FINGERPRINT_LENGTH = 12;

const known = new WeakMap<DescMethod, AuditedMethod | null>();

/** How a method is recorded; `undefined` for one that is not. Options are decoded once for each method. */
export function auditedMethod(method: DescMethod): AuditedMethod | undefined {
  let audited = known.get(method);
  if (audited === undefined) {
    audited = decode(method);
    known.set(method, audited);
  }
  return audited ?? undefined;
}

function decode(method: DescMethod): AuditedMethod | null {
  const rules = methodRules(method);
  const bindings = hasOption(method, http) ? bindingsOf(getOption(method, http)) : [];
  const each = rules.access === Access.ADMIN && bindings.some(({ pattern }) => pattern.case !== 'get');
  if (!each && rules.audit !== Audit.BY_HANDLER) return null;
  const variables = new Set(
    bindings.flatMap(({ pattern }) =>
      typeof pattern.value === 'string'
        ? [...pattern.value.matchAll(VARIABLE)].map(([, name = '']) => name)
        : [],
    ),
  );
  const named = method.input.fields.filter((field) => variables.has(field.name) || wordsOf(field).target);
  const task = method.output.fields.find((field) => wordsOf(field).task);
  const created = method.output.fields.find((field) => wordsOf(field).created);
  return {
    action: actionOf(method),
    each: rules.audit === Audit.BY_ACCESS,
    targetsOfRequest: (request) => targetsIn(named, request),
    targetsOfAnswer: (answer) => answeredTargets(method.output, answer),
    taskOf: (answer) => (task ? textOf(task, answer) : ''),
    statusOf(answer, { compat }) {
      if (created && fieldValue(answer, created) === true) return CREATED_STATUS;
      return compat ? rules.compatStatus : OK_STATUS;
    },
  };
}

function bindingsOf(rule: HttpRule): readonly HttpRule[] {
  return [rule, ...rule.additionalBindings];
}

/** `steward.user.v1.AccountService/PutUser` is `user.put_user`: names of methods are unique in a package. */
function actionOf({ parent, name }: DescMethod): string {
  const service = parent.file.proto.package.split('.')[1] ?? '';
  return `${service}.${name.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase()}`;
}

function targetsIn(fields: readonly DescField[], message: Message): readonly string[] {
  return fields.flatMap((field) => {
    const text = textOf(field, message);
    if (text === '') return [];
    return [wordsOf(field).redacted ? fingerprint(text) : targetText(text)];
  });
}

/** Those of the messages in an answer as well: what is flattened there looks like one. */
function answeredTargets(schema: DescMessage, answer: Message): readonly string[] {
  const declared = schema.fields.filter((field) => wordsOf(field).target);
  const nested = schema.fields.flatMap((field) => {
    if (field.fieldKind !== 'message') return [];
    const inner = fieldValue(answer, field);
    return inner === undefined ? [] : answeredTargets(field.message, inner as Message);
  });
  return [...targetsIn(declared, answer), ...nested];
}

function textOf(field: DescField, message: Message): string {
  const value = fieldValue(message, field);
  return typeof value === 'string' || typeof value === 'bigint' ? String(value) : '';
}

/** What tells a secret that names something from others, and does not tell what it is. */
function fingerprint(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, FINGERPRINT_LENGTH)}`;
}
