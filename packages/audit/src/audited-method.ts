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
import { declarationsOf, fieldValue } from './field-declarations.ts';
import { targetText } from './target-text.ts';

/** How the audit log records the calls of a method. */
export interface AuditedMethod {
  /** The name of the method in the log, from service and method, for example `user.deactivate`. */
  readonly action: string;
  /** Whether every call is recorded, or only those for which the method calls `recordChange`. */
  readonly each: boolean;
  /** The targets of a request: its path variables, and the fields that are declared to be targets. */
  targetsOfRequest(request: Message): readonly string[];
  /** Further targets, which only the answer contains. */
  targetsOfAnswer(answer: Message): readonly string[];
  /** The id of the task that the call started; empty for none. */
  taskOf(answer: Message): string;
  /** The HTTP status of a success. */
  statusOf(answer: Message, profile: { readonly compat: boolean }): number;
}

const OK_STATUS = 200;
const CREATED_STATUS = 201;

const VARIABLE = /\{(\w+)\}/g;

/** How much of the digest of a secret identifies it, in hexadecimal characters. */
const FINGERPRINT_LENGTH = 12;

const known = new WeakMap<DescMethod, AuditedMethod | null>();

/** How a method is recorded; `undefined` for a method that is not. Options are decoded once for each method. */
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
  const named = method.input.fields.filter(
    (field) => variables.has(field.name) || declarationsOf(field).target,
  );
  const task = method.output.fields.find((field) => declarationsOf(field).task);
  const created = method.output.fields.find((field) => declarationsOf(field).created);
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

/** `user.put_user` for `steward.user.v1.AccountService/PutUser`: method names are unique in a package. */
function actionOf({ parent, name }: DescMethod): string {
  const service = parent.file.proto.package.split('.')[1] ?? '';
  return `${service}.${name.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase()}`;
}

function targetsIn(fields: readonly DescField[], message: Message): readonly string[] {
  return fields.flatMap((field) => {
    const text = textOf(field, message);
    if (text === '') return [];
    const { redacted, targetPrefix } = declarationsOf(field);
    return [redacted ? fingerprint(text) : targetText(targetPrefix + text)];
  });
}

/** The targets of an answer and of its nested messages, because flattened messages are nested ones. */
function answeredTargets(schema: DescMessage, answer: Message): readonly string[] {
  const declared = schema.fields.filter((field) => declarationsOf(field).target);
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

/** Identifies a secret, such as a token that is a target, without revealing it. */
function fingerprint(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, FINGERPRINT_LENGTH)}`;
}
