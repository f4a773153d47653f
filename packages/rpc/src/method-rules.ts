import {
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  hasOption,
  ScalarType,
} from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { http } from '@steward/proto/google/api/annotations_pb.ts';
import type { HttpRule } from '@steward/proto/google/api/http_pb.ts';
import {
  Access,
  Audit,
  type Body,
  type MethodRules as DeclaredRules,
  type FieldRules,
  field,
  type ListRules,
  type Mode,
  method,
  type Refusal,
  Scope,
} from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type RequestField, requestFields } from './request-fields.ts';
import { StartupError } from './startup-error.ts';

/**
 * The size limit of a body unless the method declares another one, in bytes. A body above it counts as large: it is
 * charged to its sender, and not read on the thread that serves requests.
 */
export const USUAL_BODY_BYTES = 64 * 1024;

const { NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;

const CHANGING_VERBS: ReadonlySet<string> = new Set(['put', 'post', 'delete', 'patch']);

/** Declares that a change makes no event. */
const NO_EVENT = 'none';

/** The header that names the state which a change is decided on, and the refusal of another state. */
const IF_MATCH = 'if-match';
const FAILED_PRECONDITION = '412 M_PRECONDITION_FAILED';

/** The names of fields that hold ids of users. */
const USER_ID = /(?:^|_)user_ids?$/;

const OK_STATUS = 200;
const LAST_SUCCESS_STATUS = 299;

/** The scopes of methods that return private content. */
const CONTENT_SCOPES: ReadonlySet<Scope> = new Set([Scope.ROOMS_CONTENT]);

/** The status of a refusal, and its errcode. */
const REFUSAL = /^([45]\d\d) ([A-Z][A-Z0-9_.]*)$/;

/** The declared rules of a method, with every default filled in. */
export interface MethodRules {
  /** Who may call it. */
  readonly access: Access;
  /** Who may call it under the compatibility prefix. */
  readonly compatAccess: Access;
  /** The scope that it requires; `UNSPECIFIED` unless it is for administrators. */
  readonly scope: Scope;
  /** Whether callers without an access token are admitted, see `CredentialKind`. */
  readonly anyCredential: boolean;
  /** The fields of its requests that require a further scope when they have another value than their default. */
  readonly fieldScopes: readonly (RequestField & { readonly scope: Scope })[];
  /** The fields of its requests with the ids of accounts over which the caller needs authority, see `requireAuthority`. */
  readonly authorityFields: readonly RequestField[];
  /** Whether locked accounts may also call it. */
  readonly allowLocked: boolean;
  /** Whether expired tokens are also accepted. */
  readonly allowExpired: boolean;
  /** Whether a violation in the path is refused before the token is read. */
  readonly parseBeforeAuth: boolean;
  /** Whether a body is expected. */
  readonly body: Body;
  /** The size limit of the body, in bytes. */
  readonly maxBodyBytes: number;
  /** When a violation in the request is refused. */
  readonly refusal: Refusal;
  /** The mode in which its paths are unknown; `UNSPECIFIED` for none. */
  readonly unavailableWith: Mode;
  /** The status of a success under the compatibility prefix. */
  readonly compatStatus: number;
  /** How long a long poll may last, in milliseconds; 0 for a method that does not wait. */
  readonly maxWaitMs: number;
  /** Which of its calls the audit log records. */
  readonly audit: Audit;
  /** Refusals that the other declarations do not imply, for the API description. */
  readonly alsoRefuses: readonly { readonly status: number; readonly errcode: string }[];
  /** Whether its answers may set or clear the cookie of an administrator session. */
  readonly sessionCookie: boolean;
  /** Whether its answers have an entity tag, and its changes honour `If-Match`. */
  readonly entityTag: boolean;
  /** Whether a key of the body that no field reads is refused. */
  readonly refusesUnknownKeys: boolean;
  /** Whether it may answer with a request for further proof of the caller's identity. */
  readonly interactive: boolean;
  /** The types of the events of the feed that its recorded calls make, first the usual one; empty for none. */
  readonly events: readonly string[];
  /** The method that answers requests to its path that prefer an event stream; empty for none. */
  readonly eventStream: string;
  /** The media types that the bytes of its answers can have; empty for any. */
  readonly mediaTypes: readonly string[];
  /** Where the items of the list are that it answers with; undefined if it answers with no list. */
  readonly list: ListRules | undefined;
  /** Whether a caller can ask what a request would do. */
  readonly planned: boolean;
  /** Whether it answers what another request would do. */
  readonly plansRequests: boolean;
}

const known = new WeakMap<DescMethod, MethodRules>();

/**
 * The rules of a method. They are decoded once, because reading an option decodes it each time.
 *
 * @throws StartupError when the method declares no access, no scope although it is for administrators, no record in the audit log
 * although it returns private content, nothing about authority although it could act against an account, or contradictory rules
 */
export function methodRules(desc: DescMethod): MethodRules {
  const rules = known.get(desc) ?? decode(desc);
  known.set(desc, rules);
  return rules;
}

function decode(desc: DescMethod): MethodRules {
  const rules = getOption(desc, method);
  if (!hasOption(desc, method) || rules.access === Access.UNSPECIFIED)
    throw new StartupError('it declares no access');
  if (rules.access === Access.ADMIN && rules.scope === Scope.UNSPECIFIED)
    throw new StartupError('it is for administrators and declares no scope');
  if (rules.access !== Access.ADMIN && rules.scope !== Scope.UNSPECIFIED)
    throw new StartupError('scope: only methods for administrators have one');
  if (CONTENT_SCOPES.has(rules.scope) && rules.audit === Audit.BY_ACCESS)
    throw new StartupError('audit: a method that returns private content reports its calls to the audit log');
  if (rules.compatAccess === Access.INTERNAL)
    throw new StartupError('compat_access: a method with a path cannot be internal');
  if (
    rules.compatStatus !== 0 &&
    (rules.compatStatus < OK_STATUS || rules.compatStatus > LAST_SUCCESS_STATUS)
  )
    throw new StartupError(`compat_status: ${rules.compatStatus} is not the status of a success`);
  const mayBeAnonymous = [rules.access, rules.compatAccess].some(
    (access) => access === Access.NONE || access === Access.OPTIONAL,
  );
  if (rules.maxBodyBytes > USUAL_BODY_BYTES && mayBeAnonymous)
    throw new StartupError('max_body_bytes: a large body requires an access token');
  return {
    access: rules.access,
    compatAccess: rules.compatAccess || rules.access,
    scope: rules.scope,
    anyCredential: rules.anyCredential || rules.access === Access.ADMIN,
    fieldScopes: scopesOfFields(desc, rules.access),
    authorityFields: authorityOf(desc, rules),
    allowLocked: rules.allowLocked,
    allowExpired: rules.allowExpired,
    parseBeforeAuth: rules.parseBeforeAuth,
    body: rules.body,
    maxBodyBytes: rules.maxBodyBytes || USUAL_BODY_BYTES,
    refusal: rules.refusal,
    unavailableWith: rules.unavailableWith,
    compatStatus: rules.compatStatus || OK_STATUS,
    maxWaitMs: rules.maxWaitMs,
    audit: rules.audit,
    alsoRefuses: rules.alsoRefuses.map(readRefusal),
    sessionCookie: rules.sessionCookie,
    entityTag: entityTagOf(desc, rules),
    refusesUnknownKeys: rules.refusesUnknownKeys,
    interactive: rules.interactive,
    events: eventsOf(desc, rules),
    eventStream: rules.eventStream,
    mediaTypes: rules.mediaTypes,
    list: rules.list,
    planned: plannedOf(desc, rules),
    plansRequests: rules.plansRequests,
  };
}

/**
 * The fields with accounts over which the caller needs authority. A method that uses an administrator's right, and either changes
 * something or has a field with user ids, declares such fields, that its handler requires authority, or why none is needed.
 */
function authorityOf(desc: DescMethod, rules: DeclaredRules): readonly RequestField[] {
  const { access, compatAccess, audit, authorityByHandler: byHandler, noAuthority } = rules;
  const { input, methodKind, idempotency } = desc;
  const fields = requestFields(input);
  const declared = fields.filter((each) => optionsOf(each)?.authority);
  const first = declared[0]?.field;
  if (first && (access !== Access.ADMIN || methodKind !== 'unary' || first.scalar !== ScalarType.STRING))
    throw new StartupError(`${first.name}: only texts in unary requests of administrators have authority`);
  if (noAuthority !== '' && (first || byHandler))
    throw new StartupError('no_authority: the method declares that authority is required');
  const usesRight = [access, compatAccess].includes(Access.ADMIN) || audit === Audit.BY_HANDLER;
  const concerns = idempotency !== NO_SIDE_EFFECTS || fields.some((each) => USER_ID.test(each.field.name));
  if (usesRight && concerns && !first && !byHandler && noAuthority === '')
    throw new StartupError(
      'it could act against an account, or in its name: it declares authority of a field, authority_by_handler, or no_authority',
    );
  return declared;
}

/** Whether a request can be planned: one that an administrator makes to change something. */
function plannedOf({ methodKind, idempotency }: DescMethod, { planned, access }: DeclaredRules): boolean {
  if (planned && (access !== Access.ADMIN || methodKind !== 'unary' || idempotency === NO_SIDE_EFFECTS))
    throw new StartupError('planned: only unary changes by administrators can be planned');
  return planned;
}

/** Whether answers have an entity tag: then a change reads the header `If-Match`, and refuses another tag. */
function entityTagOf(desc: DescMethod, { entityTag, alsoRefuses }: DeclaredRules): boolean {
  if (!entityTag || desc.idempotency === NO_SIDE_EFFECTS) return entityTag;
  const readsIfMatch = requestFields(desc.input).some((each) => optionsOf(each)?.header === IF_MATCH);
  if (!readsIfMatch || !alsoRefuses.includes(FAILED_PRECONDITION))
    throw new StartupError(`entity_tag: a change reads ${IF_MATCH}, and refuses with ${FAILED_PRECONDITION}`);
  return true;
}

/** The declared types of events. */
function eventsOf(desc: DescMethod, { access, audit, event }: DeclaredRules): readonly string[] {
  const isRecorded = access === Access.ADMIN || audit === Audit.BY_HANDLER;
  const hasEffects =
    desc.idempotency !== NO_SIDE_EFFECTS &&
    bindingsOf(desc).some(({ pattern }) => CHANGING_VERBS.has(pattern.case ?? ''));
  if (isRecorded && hasEffects && event.length === 0)
    throw new StartupError(
      `event: a change that the audit log records makes an event, or declares ${NO_EVENT}`,
    );
  if (!(isRecorded && hasEffects) && event.length > 0)
    throw new StartupError('event: only changes that the audit log records make events');
  if (event.includes(NO_EVENT) && event.length > 1)
    throw new StartupError(`event: ${NO_EVENT} excludes types of events`);
  return event.filter((type) => type !== NO_EVENT);
}

function bindingsOf(desc: DescMethod): readonly HttpRule[] {
  if (!hasOption(desc, http)) return [];
  const rule = getOption(desc, http);
  return [rule, ...rule.additionalBindings];
}

function scopesOfFields({ input, methodKind }: DescMethod, access: Access): MethodRules['fieldScopes'] {
  const fields = requestFields(input);
  const scopes = fields
    .map((each) => ({ ...each, scope: optionsOf(each)?.scope ?? Scope.UNSPECIFIED }))
    .filter(({ scope }) => scope !== Scope.UNSPECIFIED);
  const [first] = scopes;
  if (first && access !== Access.ADMIN)
    throw new StartupError(`${first.field.name}: only requests of administrators have fields with a scope`);
  if (first && methodKind !== 'unary')
    throw new StartupError(`${first.field.name}: only a unary request has fields with a scope`);
  for (const { name, message } of fields.map((each) => each.field)) {
    const nested = message && scopedFieldIn(message);
    if (nested) throw new StartupError(`${name}.${nested.name}: fields of nested messages have no scope`);
  }
  return scopes;
}

/** A field with a scope in a message or those nested in it, which no call would check. */
function scopedFieldIn({ fields }: DescMessage, visited = new Set<DescMessage>()): DescField | undefined {
  for (const desc of fields) {
    if (hasOption(desc, field) && getOption(desc, field).scope !== Scope.UNSPECIFIED) return desc;
    if (!desc.message || visited.has(desc.message)) continue;
    const nested = scopedFieldIn(desc.message, visited.add(desc.message));
    if (nested) return nested;
  }
  return undefined;
}

function optionsOf({ field: desc }: RequestField): FieldRules | undefined {
  return hasOption(desc, field) ? getOption(desc, field) : undefined;
}

function readRefusal(text: string): { status: number; errcode: string } {
  const [, status, errcode] = REFUSAL.exec(text) ?? [];
  if (status === undefined || errcode === undefined)
    throw new StartupError(`also_refuses: "${text}" is not a status with an errcode`);
  return { status: Number(status), errcode };
}
