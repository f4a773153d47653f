import type { CallOptions, ClientOptions } from './options.ts';

/** Of each option, what it must be. An option that does nothing would be taken for one that works. */
const CALL: Checks<CallOptions> = {
  signal: ['an AbortSignal', isSignal],
  timeoutMs: ['a number above 0', isPositive],
  maxRetries: ['a whole number from 0', isCount],
  repeatable: ['true or false', isBoolean],
  reason: ['a text', isText],
  idempotencyKey: ['a text or false', (value) => isText(value) || value === false],
  headers: ['an object of texts', isObject],
};

const CLIENT: Checks<ClientOptions> = {
  baseUrl: ['a URL', (value) => isText(value) || value instanceof URL],
  token: ['a text or a function', (value) => isText(value) || isFunction(value)],
  credentials: ['include, omit or same-origin', isText],
  timeoutMs: CALL.timeoutMs,
  maxRetries: CALL.maxRetries,
  reason: CALL.reason,
  middleware: ['a list of functions', Array.isArray],
  fetch: ['a function', isFunction],
};

/** The options that no operation has as a parameter. */
const NO_PARAMETERS = Object.keys(CALL).filter((name) => name !== 'reason');

type Check = readonly [kind: string, is: (value: unknown) => boolean];
type Checks<Options> = Readonly<Record<keyof Options, Check>>;

/** @throws TypeError if there is no such option of a call, or if it has another type */
export function checkCallOptions(operation: string, options: CallOptions): void {
  check(operation, options, CALL);
}

/** @throws TypeError if there is no such option of a client, or if it has another type */
export function checkClientOptions(options: ClientOptions): void {
  check('createClient', options, CLIENT);
}

/** @throws TypeError if an option of calls stands among the parameters, where it would be sent to the server and do nothing */
export function checkParameters(operation: string, params: Readonly<Record<string, unknown>>): void {
  const misplaced = NO_PARAMETERS.find((name) => Object.hasOwn(params, name));
  if (misplaced !== undefined)
    throw new TypeError(`${operation}: ${misplaced} is an option, and stands in the second argument`);
}

function check<Options extends object>(
  subject: string,
  options: Options,
  checks: Readonly<Record<string, Check>>,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    const known = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (known === undefined)
      throw new TypeError(
        `${subject}: there is no option ${name}; there are ${Object.keys(checks).join(', ')}`,
      );
    const [kind, is] = known;
    if (!is(value)) throw new TypeError(`${subject}: ${name} must be ${kind}`);
  }
}

function isSignal(value: unknown): boolean {
  return isObject(value) && 'aborted' in (value as object);
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

function isCount(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= 0);
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
