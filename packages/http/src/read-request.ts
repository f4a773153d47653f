import type { DescMessage, Message } from '@bufbuild/protobuf';
import { Body } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type DeferredRefusal, StartupError } from '@steward/rpc';
import { ALL_FIELDS, type FieldLayout, type FieldSource, fieldSourceOf } from './field-source.ts';
import { createFlat, placed } from './flat-message.ts';
import { parseBody } from './json-body.ts';
import { parseQuery } from './parse-query.ts';
import type { Profile } from './profile.ts';
import { bodyStep, recordPresent, wholeBodyStep } from './read-body.ts';
import { headerStep } from './read-header.ts';
import { pathStep } from './read-path.ts';
import { queryStep } from './read-query.ts';
import { needsExactBody, type ObjectReaders } from './read-value.ts';
import type { Fields, RequestHeaders, RequestParts, Step } from './step.ts';
import { Violation } from './violation.ts';
import { flatFields, type WireField } from './wire-field.ts';

/** The parts of an HTTP request that a binding reads. */
export interface RequestInput {
  /** The path variables by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The part of the request line after the question mark, still encoded, one character per byte. */
  readonly query: string;
  /** The bytes of the body; `undefined` for none. */
  readonly body: Uint8Array | undefined;
  /** Required where fields are read from headers. */
  readonly headers?: RequestHeaders;
  /** The native one by default. */
  readonly profile?: Profile;
}

/** A request as read: complete, or up to its first violation. */
export interface ReadResult {
  readonly message: Message;
  readonly deferred?: DeferredRefusal;
}

/** Reads requests of one binding. Never throws. */
export type ReadRequest = (input: RequestInput) => ReadResult;

/** Returns the first violation among the path variables, which are given by name, percent-decoded. */
export type CheckPath = (params: RequestInput['params']) => DeferredRefusal | undefined;

/** How the requests of a binding are read. */
export interface RequestPlan extends FieldLayout {
  readonly message: DescMessage;
  readonly body: Body;
  /** Whether a key of the body that no field reads is refused. */
  readonly refusesUnknownKeys?: boolean;
}

const UNREAD_BODY = {};
const NO_HEADERS: RequestHeaders = {};

/**
 * Compiles the reader of a binding: path variables first, then the body as a whole, then the fields in the
 * order of their declaration. It stops at the first violation; the message then holds what was read before.
 * When the body as a whole is invalid, the fields of the query are still read.
 *
 * @throws StartupError for a field that cannot be read from its source
 */
export function compileRequest(plan: RequestPlan, objectOf: ObjectReaders): ReadRequest {
  const { message: desc, body, refusesUnknownKeys = false } = plan;
  const fields = flatFields(desc);
  const mask = fields.find((field) => fieldSourceOf(field, plan) === 'keys');
  if (mask && plan.bodyField !== ALL_FIELDS)
    throw new StartupError(`the field '${mask.name}' asks for the keys of a body that has none`);

  const readPath = compilePath(fields, plan);
  const steps = fields.flatMap((field) => stepOf(field, fieldSourceOf(field, plan), objectOf));
  const querySteps = steps.filter((step) => step.from === 'query');
  const exact = needsExactBody(desc);
  const parameters = new Set(querySteps.map((step) => step.key));
  const keys = new Set(steps.filter((step) => step.from === 'body').map((step) => step.key));

  return ({ params, query: rawQuery, body: bytes, headers = NO_HEADERS, profile = 'native' }) => {
    const message = createFlat(desc);
    const into = message as unknown as Fields;
    const refusedPath = readPath(params, into);
    if (refusedPath) return { message, deferred: refusedPath };
    const query = parseQuery(rawQuery, parameters);
    const object = body === Body.IGNORED ? UNREAD_BODY : parseBody(bytes, body, exact);
    if (object instanceof Violation) {
      runSteps(querySteps, { body: UNREAD_BODY, query, headers, profile }, into, []);
      return { message, deferred: refusalOf(object) };
    }
    const unknown = refusesUnknownKeys ? Object.keys(object).find((key) => !keys.has(key)) : undefined;
    if (unknown !== undefined)
      return {
        message,
        deferred: refusalOf(
          new Violation('M_INVALID_PARAM', unknown, 'is not a key of this request'),
          unknown,
        ),
      };
    const present: string[] = [];
    const deferred = runSteps(steps, { body: object, query, headers, profile }, into, present);
    recordPresent(mask, into, present);
    return deferred ? { message, deferred } : { message };
  };
}

/**
 * Compiles the check of a binding's path alone, for methods that refuse its violations before all others.
 *
 * @throws StartupError for a field that cannot be read from a path
 */
export function compilePathCheck(plan: RequestPlan): CheckPath {
  const readPath = compilePath(flatFields(plan.message), plan);
  return (params) => readPath(params, {});
}

function compilePath(
  fields: readonly WireField[],
  plan: RequestPlan,
): (params: RequestInput['params'], into: Fields) => DeferredRefusal | undefined {
  const steps = fields
    .filter((field) => fieldSourceOf(field, plan) === 'path')
    .map((field) => placed(pathStep(field), field));
  return (params, into) => {
    for (const step of steps) {
      const violation = step.run(params, into);
      if (violation) return refusalOf(violation, step.key);
    }
    return undefined;
  };
}

function stepOf(field: WireField, source: FieldSource, objectOf: ObjectReaders): readonly Step[] {
  if (field.rules.compatSpellings.length > 0 && source !== 'query')
    throw new StartupError(`the field '${field.name}' has compat_spellings and is not read from the query`);
  switch (source) {
    case 'header':
      return [placed(headerStep(field), field)];
    case 'query':
      return [placed(queryStep(field), field)];
    case 'body':
      return [placed(bodyStep(field, objectOf), field)];
    case 'whole body':
      return [placed(wholeBodyStep(field), field)];
    default:
      return [];
  }
}

function runSteps(
  steps: readonly Step[],
  parts: RequestParts,
  into: Fields,
  present: string[],
): DeferredRefusal | undefined {
  for (const step of steps) {
    const violation = step.run(parts, into, present);
    if (violation) return refusalOf(violation, step.key);
  }
  return undefined;
}

function refusalOf(violation: Violation, field?: string): DeferredRefusal {
  const { status, errcode, message } = violation;
  const refusal = { status, errcode, message };
  return field === undefined ? refusal : { ...refusal, field };
}
