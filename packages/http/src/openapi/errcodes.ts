import type { DescMessage } from '@bufbuild/protobuf';
import { Access, Audit, Body, Mode } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { Binding } from '../bindings.ts';
import { fieldSourceOf } from '../field-source.ts';
import { TEXT_ON_TYPE } from '../read-text.ts';
import { BODY_ON_TYPE } from '../read-value.ts';
import { flatFields, leaf, messagesIn, type WireField } from '../wire-field.ts';
import { KEY_ERRCODES, takesKey } from './idempotency-key.ts';
import { takesReason } from './reason.ts';

/** Errcodes by HTTP status, in alphabetical order. */
export type Errcodes = ReadonlyMap<number, readonly string[]>;

const BAD_REQUEST_STATUS = 400;
const UNAUTHENTICATED_STATUS = 401;
const FORBIDDEN_STATUS = 403;
const NOT_FOUND_STATUS = 404;
const TOO_SLOW_STATUS = 408;
const TOO_LARGE_STATUS = 413;
const TOO_MANY_REQUESTS_STATUS = 429;
const HEADERS_TOO_LARGE_STATUS = 431;
const UNAVAILABLE_STATUS = 503;

/** The refusals of a binding: those that its declarations imply, and those that it lists. */
export function errcodesOf(binding: Binding): Errcodes {
  const { access, allowLocked, allowExpired, unavailableWith, anyCredential } = binding.rules;
  const token = access !== Access.NONE;
  const guestsRefused = access === Access.USER || access === Access.ADMIN;
  const rows: readonly (readonly [number, readonly string[]])[] = [
    [BAD_REQUEST_STATUS, [...readErrcodes(binding), ...reasonErrcodes(binding)]],
    [
      UNAUTHENTICATED_STATUS,
      [
        ...(token ? ['M_UNKNOWN_TOKEN', 'M_MISSING_TOKEN'] : []),
        ...(token && !allowLocked ? ['M_USER_LOCKED'] : []),
        ...(access === Access.ADMIN ? ['STEWARD_STEP_UP_REQUIRED'] : []),
      ],
    ],
    [
      FORBIDDEN_STATUS,
      [
        ...(guestsRefused ? ['M_GUEST_ACCESS_FORBIDDEN'] : []),
        ...(access === Access.ADMIN
          ? ['M_USER_SUSPENDED', 'STEWARD_CREDENTIAL_LIMITED', 'STEWARD_SECOND_FACTOR_REQUIRED']
          : []),
        // Also for the cookie of a session in a request of a page of another origin.
        ...(anyCredential ? ['M_FORBIDDEN'] : []),
        ...(token && !allowExpired ? ['ORG_MATRIX_EXPIRED_ACCOUNT'] : []),
      ],
    ],
    [NOT_FOUND_STATUS, unavailableWith === Mode.UNSPECIFIED ? [] : ['M_UNRECOGNIZED']],
    [TOO_SLOW_STATUS, binding.verb === 'GET' ? [] : ['M_UNKNOWN']],
    [TOO_LARGE_STATUS, binding.verb === 'GET' ? [] : ['M_TOO_LARGE']],
    [TOO_MANY_REQUESTS_STATUS, ['M_LIMIT_EXCEEDED']],
    [HEADERS_TOO_LARGE_STATUS, ['M_TOO_LARGE']],
    [UNAVAILABLE_STATUS, ['M_UNKNOWN']],
    ...(takesKey(binding) ? KEY_ERRCODES : []),
    ...binding.rules.alsoRefuses.map(({ status, errcode }) => [status, [errcode]] as const),
  ];
  const errcodes = new Map<number, Set<string>>();
  for (const [status, codes] of rows) {
    const known = errcodes.get(status) ?? new Set();
    for (const code of codes) known.add(code);
    if (known.size > 0) errcodes.set(status, known);
  }
  return new Map(
    [...errcodes].sort(([one], [other]) => one - other).map(([status, codes]) => [status, [...codes].sort()]),
  );
}

/** The refusals of `X-Steward-Reason`, which the configuration may require of recorded requests. */
function reasonErrcodes(binding: Binding): readonly string[] {
  if (!takesReason(binding)) return [];
  const isRecorded = binding.verb !== 'GET' || binding.rules.audit === Audit.BY_HANDLER;
  return isRecorded ? ['M_INVALID_PARAM', 'M_MISSING_PARAM'] : ['M_INVALID_PARAM'];
}

function readErrcodes(binding: Binding): readonly string[] {
  const body = binding.rules.body === Body.IGNORED ? [] : ['M_NOT_JSON', 'M_BAD_JSON'];
  const fields = flatFields(binding.method.input).flatMap((field) => {
    switch (fieldSourceOf(field, binding)) {
      case 'path':
        return textErrcodes(field);
      case 'header':
      case 'query':
        return [
          field.rules.onMissing,
          ...textErrcodes(field),
          ...(leaf(field.shape).kind === 'string' ? ['M_UNKNOWN'] : []),
        ];
      case 'body':
        return bodyErrcodes(field);
      default:
        return [];
    }
  });
  return [...body, ...fields].filter((code) => code !== '');
}

function textErrcodes({ shape, rules }: WireField): readonly string[] {
  const bounded = rules.values.length > 0 || rules.maxLength > 0 || rules.pattern !== '';
  const anyText = leaf(shape).kind === 'string' && !bounded;
  return anyText ? [] : [rules.onType || TEXT_ON_TYPE, rules.onLength];
}

function bodyErrcodes(field: WireField): readonly string[] {
  const part = leaf(field.shape);
  const nested: DescMessage[] = part.kind === 'message' ? [...messagesIn(part.message)] : [];
  return [field, ...nested.flatMap(flatFields)].flatMap(({ rules }) => [
    rules.onMissing,
    rules.truthy || (rules.lenient && rules.values.length === 0) ? '' : rules.onType || BODY_ON_TYPE,
    rules.onLength,
  ]);
}
