import { create, type DescMessage, type Message } from '@bufbuild/protobuf';
import { Body } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type DeferredRefusal, StartupError } from '@steward/rpc';
import { Flaw } from './flaw.ts';
import { parseBody } from './json-body.ts';
import { parseQuery } from './parse-query.ts';
import { ALL_FIELDS, type Place, type Placement, placeOf } from './place.ts';
import { bodyStep, recordPresent, wholeBodyStep } from './read-body.ts';
import { headerStep } from './read-header.ts';
import { pathStep } from './read-path.ts';
import { queryStep } from './read-query.ts';
import { needsExactBody, type ObjectReaders } from './read-value.ts';
import type { Fields, RequestHeaders, Source, Step } from './step.ts';
import { type WireField, wireFields } from './wire-field.ts';

/** One HTTP request, as far as its route lets it be read. */
export interface RequestInput {
  /** The path variables by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The part of the request line after the question mark, still encoded, one character a byte. */
  readonly query: string;
  /** The body's bytes; `undefined` means none. */
  readonly body: Uint8Array | undefined;
  /** Needed where fields are read from them. */
  readonly headers?: RequestHeaders;
}

/** A request read: complete, or as far as its first flaw. */
export interface ReadResult {
  readonly message: Message;
  readonly deferred?: DeferredRefusal;
}

/** Reads requests of one binding. Never throws. */
export type ReadRequest = (input: RequestInput) => ReadResult;

/** Finds the first flaw of the path variables, by name and percent-decoded. */
export type CheckPath = (params: RequestInput['params']) => DeferredRefusal | undefined;

/** What there is to know of a request message before it is read. */
export interface RequestPlan extends Placement {
  readonly message: DescMessage;
  readonly body: Body;
}

const BAD_REQUEST_STATUS = 400;
const UNREAD_BODY = {};
const NO_HEADERS: RequestHeaders = {};

/**
 * Makes the reader of a binding: path variables first, then the body as a whole, then the fields in the
 * order of their declaration. The first flaw ends it; the message then holds what was read before.
 * When the body as a whole is flawed, the query's fields are read all the same.
 *
 * @throws StartupError for a field that cannot be read from its place
 */
export function compileRequest(plan: RequestPlan, objectOf: ObjectReaders): ReadRequest {
  const { message: desc, body } = plan;
  const fields = wireFields(desc);
  const mask = fields.find((field) => placeOf(field, plan) === 'keys');
  if (mask && plan.bodyField !== ALL_FIELDS)
    throw new StartupError(`the field '${mask.name}' asks for the keys of a body that has none`);

  const readPath = compilePath(fields, plan);
  const steps = fields.flatMap((field) => stepOf(field, placeOf(field, plan), objectOf));
  const querySteps = steps.filter((step) => step.from === 'query');
  const exact = needsExactBody(desc);
  const parameters = new Set(querySteps.map((step) => step.key));

  return ({ params, query: rawQuery, body: bytes, headers = NO_HEADERS }) => {
    const message = create(desc);
    const into = message as unknown as Fields;
    const flawOfPath = readPath(params, into);
    if (flawOfPath) return { message, deferred: flawOfPath };
    const query = parseQuery(rawQuery, parameters);
    const object = body === Body.IGNORED ? UNREAD_BODY : parseBody(bytes, body, exact);
    if (object instanceof Flaw) {
      runSteps(querySteps, { body: UNREAD_BODY, query, headers }, into, []);
      return { message, deferred: refusalOf(object) };
    }
    const present: string[] = [];
    const deferred = runSteps(steps, { body: object, query, headers }, into, present);
    recordPresent(mask, into, present);
    return deferred ? { message, deferred } : { message };
  };
}

/**
 * Makes the check of a binding's path by itself, for methods that answer its flaws before all others.
 *
 * @throws StartupError for a field that cannot be read from a path
 */
export function compilePathCheck(plan: RequestPlan): CheckPath {
  const readPath = compilePath(wireFields(plan.message), plan);
  return (params) => readPath(params, {});
}

function compilePath(
  fields: readonly WireField[],
  plan: RequestPlan,
): (params: RequestInput['params'], into: Fields) => DeferredRefusal | undefined {
  const steps = fields.filter((field) => placeOf(field, plan) === 'path').map(pathStep);
  return (params, into) => {
    for (const step of steps) {
      const flaw = step.run(params, into);
      if (flaw) return refusalOf(flaw, step.key);
    }
    return undefined;
  };
}

function stepOf(field: WireField, place: Place, objectOf: ObjectReaders): readonly Step[] {
  switch (place) {
    case 'header':
      return [headerStep(field)];
    case 'query':
      return [queryStep(field)];
    case 'body':
      return [bodyStep(field, objectOf)];
    case 'whole body':
      return [wholeBodyStep(field)];
    default:
      return [];
  }
}

function runSteps(
  steps: readonly Step[],
  source: Source,
  into: Fields,
  present: string[],
): DeferredRefusal | undefined {
  for (const step of steps) {
    const flaw = step.run(source, into, present);
    if (flaw) return refusalOf(flaw, step.key);
  }
  return undefined;
}

function refusalOf(flaw: Flaw, field?: string): DeferredRefusal {
  const refusal = { status: BAD_REQUEST_STATUS, errcode: flaw.errcode, message: flaw.message };
  return field === undefined ? refusal : { ...refusal, field };
}
