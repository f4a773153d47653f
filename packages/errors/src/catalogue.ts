import type { ConnectError } from '@connectrpc/connect';
import { type Json, toConnectError, toRefusal } from './refusal.ts';

const ALREADY_DONE = 'STEWARD_ALREADY_DONE';

type Extra = Readonly<Record<string, Json>>;

const entry =
  (status: number, errcode: string, extra?: Extra) =>
  (message: string): ConnectError =>
    toConnectError({ status, errcode, message, ...(extra ? { extra } : {}) });

/**
 * Every refusal of steward, by its cause. Each function takes the text for humans and returns the error to
 * throw.
 */
export const refuse = {
  /** A failed check without an errcode of its own (behaviour.md 0.3). */
  unknown: entry(400, 'M_UNKNOWN'),
  /** The body is not JSON, or is empty where JSON is required. */
  notJson: entry(400, 'M_NOT_JSON'),
  /** JSON of the wrong shape. */
  badJson: entry(400, 'M_BAD_JSON'),
  /** A required key or parameter is absent. */
  missingParam: entry(400, 'M_MISSING_PARAM'),
  /** A parameter's value is unusable. */
  invalidParam: entry(400, 'M_INVALID_PARAM'),
  /** A signature is missing or wrong. */
  invalidSignature: entry(400, 'M_INVALID_SIGNATURE'),
  /** A user name does not follow the grammar. */
  invalidUsername: entry(400, 'M_INVALID_USERNAME'),
  /** An account with the user name exists. */
  userInUse: entry(400, 'M_USER_IN_USE'),
  /** A password that is too weak, for a reason without an errcode of its own. */
  weakPassword: entry(400, 'M_WEAK_PASSWORD'),
  /** A password has fewer characters than the policy requires. */
  passwordTooShort: entry(400, 'M_PASSWORD_TOO_SHORT'),
  /** A password lacks the digit that the policy requires. */
  passwordWithoutDigit: entry(400, 'M_PASSWORD_NO_DIGIT'),
  /** A password lacks the symbol that the policy requires. */
  passwordWithoutSymbol: entry(400, 'M_PASSWORD_NO_SYMBOL'),
  /** A password lacks the upper-case letter that the policy requires. */
  passwordWithoutUppercase: entry(400, 'M_PASSWORD_NO_UPPERCASE'),
  /** A password lacks the lower-case letter that the policy requires. */
  passwordWithoutLowercase: entry(400, 'M_PASSWORD_NO_LOWERCASE'),
  /** The server can neither confirm nor change addresses of this medium. */
  threepidMediumNotSupported: entry(400, 'M_THREEPID_MEDIUM_NOT_SUPPORTED'),
  /** A text exceeds the length limit of the field. */
  tooLong: entry(400, 'M_TOO_LARGE'),
  /** The name of a field of a profile is too long. */
  profileKeyTooLarge: entry(400, 'M_KEY_TOO_LARGE'),
  /** A profile would be larger than the server accepts. */
  profileTooLarge: entry(400, 'M_PROFILE_TOO_LARGE'),
  /** A forbidden action whose documented status is 400. */
  forbiddenRequest: entry(400, 'M_FORBIDDEN'),
  /** An unknown value of a closed set on the client API. */
  unrecognizedValue: entry(400, 'M_UNRECOGNIZED'),
  /** A room version that steward does not know. */
  unsupportedRoomVersion: entry(400, 'M_UNSUPPORTED_ROOM_VERSION'),
  /** The alias belongs to another room. */
  roomInUse: entry(400, 'M_ROOM_IN_USE'),
  /** The alias does not belong to the room that names it. */
  badAlias: entry(400, 'M_BAD_ALIAS'),
  /** The user has sent the same reaction to the same event before. */
  duplicateAnnotation: entry(400, 'M_DUPLICATE_ANNOTATION'),
  /** No local user can authorise a join by membership of another room. */
  unableToGrantJoin: entry(400, 'M_UNABLE_TO_GRANT_JOIN'),
  /** The server knows none of the rooms whose members may join. */
  unableToAuthoriseJoin: entry(400, 'M_UNABLE_TO_AUTHORISE_JOIN'),
  /** No token, or a token sent in two ways. */
  missingToken: entry(401, 'M_MISSING_TOKEN'),
  /** A token that does not exist, or whose session has ended. */
  unknownToken: entry(401, 'M_UNKNOWN_TOKEN', { soft_logout: false }),
  /** A token past its `valid_until_ms`. */
  expiredToken: entry(401, 'M_UNKNOWN_TOKEN', { soft_logout: true }),
  /** The account is locked. */
  userLocked: entry(401, 'M_USER_LOCKED', { soft_logout: true }),
  /** The caller may not do this. */
  forbidden: entry(403, 'M_FORBIDDEN'),
  /** The account has a right that its credential does not carry, because a caller without the right made the credential. */
  limitedCredential: entry(403, 'STEWARD_CREDENTIAL_LIMITED'),
  /** The server requires a second factor of the account, which it does not have, or which the credential cannot prove. */
  secondFactorRequired: entry(403, 'STEWARD_SECOND_FACTOR_REQUIRED'),
  /** The validity of the account has expired. */
  expiredAccount: entry(403, 'ORG_MATRIX_EXPIRED_ACCOUNT'),
  /** Guests may not do this. */
  guestForbidden: entry(403, 'M_GUEST_ACCESS_FORBIDDEN'),
  /** The account is suspended: it may only read, and leave rooms. */
  userSuspended: entry(403, 'M_USER_SUSPENDED'),
  /** The room is a room of server notices, whose invitations cannot be rejected before a join. */
  noticeRoom: entry(403, 'M_CANNOT_LEAVE_SERVER_NOTICE_ROOM'),
  /** The state of the user does not permit this. */
  badState: entry(403, 'M_BAD_STATE'),
  /** A refused proof without an errcode of its own. */
  refusedProof: entry(403, 'M_UNKNOWN'),
  /** The requested resource does not exist. */
  notFound: entry(404, 'M_NOT_FOUND'),
  /** Like `notFound`, where the documented errcode is the unspecific one. */
  notFoundUnknown: entry(404, 'M_UNKNOWN'),
  /** No such path. */
  unrecognized: entry(404, 'M_UNRECOGNIZED'),
  /** The resource is read here and set under another path. */
  notSetHere: entry(405, 'M_BAD_JSON'),
  /** The path exists, but not with this method. */
  methodNotAllowed: entry(405, 'M_UNRECOGNIZED'),
  /** The client sends its request too slowly. */
  tooSlow: entry(408, 'M_UNKNOWN'),
  /** The resource belongs to another user. */
  conflict: entry(409, 'M_UNKNOWN'),
  /** The resource has passed the state that the request requires. */
  tooLate: entry(409, 'M_UNKNOWN'),
  /** The medium has bytes, which never change. */
  cannotOverwriteMedia: entry(409, 'M_CANNOT_OVERWRITE_MEDIA'),
  /** The request is for a state that the resource does not have. */
  preconditionFailed: entry(412, 'M_PRECONDITION_FAILED'),
  /** The body is larger than the server accepts. */
  tooLarge: entry(413, 'M_TOO_LARGE'),
  /** The key of an action was sent with another request before. */
  keyReused: entry(422, 'STEWARD_IDEMPOTENCY_KEY_REUSED'),
  /** The answer depends on another server, which cannot be reached. */
  unreachableServer: entry(502, 'M_UNKNOWN'),
  /** The server cannot answer now; the caller should retry later. */
  unavailable: entry(503, 'M_UNKNOWN'),
  /** The bytes of the medium were not uploaded in time. */
  notYetUploaded: entry(504, 'M_NOT_YET_UPLOADED'),
} as const;

/** Refusals of a change of a case of reports; both have its present state, as `current`. */
export const refuseWithCase = {
  /** The case was changed since the state that the request names in `If-Match`. */
  preconditionFailed: (message: string, current: Extra): ConnectError =>
    toConnectError({ status: 412, errcode: 'M_PRECONDITION_FAILED', message, extra: { current } }),
  /** The state of the case does not permit the change. */
  wrongState: (message: string, current: Extra): ConnectError =>
    toConnectError({ status: 409, errcode: 'M_UNKNOWN', message, extra: { current } }),
} as const;

/** The remaining stages of user-interactive authentication (client-plane.md 2.4). */
export interface InteractiveChallenge {
  readonly flows: readonly { readonly stages: readonly string[] }[];
  readonly params: { readonly [stage: string]: Json };
  readonly session: string;
  /** The completed stages; absent in the first answer. */
  readonly completed?: readonly string[];
}

/** The 401 that asks for a further stage; with `failure` when the last stage failed. */
export function interactiveAuth(
  challenge: InteractiveChallenge,
  failure?: { readonly errcode: string; readonly message: string },
): ConnectError {
  return toConnectError({
    status: 401,
    errcode: failure?.errcode,
    message: failure?.message ?? 'Further authentication is needed',
    extra: { ...challenge } as Extra,
  });
}

/**
 * The user of the caller must prove their identity: the request is to be repeated with the proofs of the stages, or after
 * them. No stages mean that the account has no means to do so.
 */
export function stepUpRequired(stages: readonly string[]): ConnectError {
  return toConnectError({
    status: 401,
    errcode: 'STEWARD_STEP_UP_REQUIRED',
    message:
      stages.length > 0
        ? 'This requires a proof of your identity'
        : 'This requires a proof of your identity, and your account has no password: use an access token',
    extra: { flows: alternativesOf(stages).map((alternative) => ({ stages: alternative })) },
  });
}

/** Stages of which one suffices together with the others, and the one of them that may suffice alone. */
const FACTORS: ReadonlySet<string> = new Set(['steward.totp', 'steward.passkey']);
const ALONE = 'steward.passkey';

/** The alternatives that stages stand for: each second factor together with the others, and a passkey alone. */
function alternativesOf(stages: readonly string[]): readonly (readonly string[])[] {
  const others = stages.filter((stage) => !FACTORS.has(stage));
  const factors = stages.filter((stage) => FACTORS.has(stage));
  if (factors.length === 0) return others.length > 0 ? [others] : [];
  const combined = factors.map((factor) => [...others, factor]);
  return others.length > 0 && factors.includes(ALONE) ? [...combined, [ALONE]] : combined;
}

/**
 * The feed does not have what follows a position: it is past its retention, or the position is none of the feed. A reader
 * begins again after `oldest`, or after `latest`.
 */
export function positionGone(message: string, oldest: number, latest: number): ConnectError {
  return toConnectError({
    status: 410,
    errcode: 'STEWARD_POSITION_GONE',
    message,
    extra: { oldest, latest },
  });
}

/** The same action, by its idempotency key, is still carried out; it can be repeated after `retryAfterMs` milliseconds. */
export function actionInProgress(retryAfterMs: number): ConnectError {
  return toConnectError({
    status: 409,
    errcode: 'STEWARD_ACTION_IN_PROGRESS',
    message: 'The request with this idempotency key is still carried out; repeat it later',
    extra: { retry_after_ms: retryAfterMs },
  });
}

/**
 * The action was carried out before, and its answer is not kept, because it contained a secret or was too large.
 *
 * @param targets what it changed or made
 */
export function alreadyDone(targets: readonly string[]): ConnectError {
  return toConnectError({
    status: 409,
    errcode: ALREADY_DONE,
    message: 'The request with this idempotency key was carried out, and its answer is not kept',
    extra: { targets },
  });
}

/** What an action changed or made, if the error is that it was carried out before; `undefined` for other errors. */
export function doneTargets(error: unknown): readonly string[] | undefined {
  const { errcode, extra } = toRefusal(error);
  return errcode === ALREADY_DONE ? (extra?.targets as readonly string[]) : undefined;
}

/** Too many actions; the next one is permitted after `retryAfterMs` milliseconds (client-plane.md 9). */
export function limitExceeded(retryAfterMs: number): ConnectError {
  return toConnectError({
    status: 429,
    errcode: 'M_LIMIT_EXCEEDED',
    message: 'Too many requests',
    extra: { retry_after_ms: retryAfterMs },
  });
}

/**
 * More users are active in a month than the server admits (client-plane.md 8.4); `adminContact` is the contact
 * of the administrator, if one is configured.
 */
export function monthlyUsersExceeded(adminContact: string | undefined): ConnectError {
  return toConnectError({
    status: 403,
    errcode: 'M_RESOURCE_LIMIT_EXCEEDED',
    message: 'This server has reached its limit of active users in a month',
    extra: {
      limit_type: 'monthly_active_user',
      ...(adminContact === undefined ? {} : { admin_contact: adminContact }),
    },
  });
}

/**
 * The user would store more than the quota permits; `adminContact` is the contact of the administrator, if one is
 * configured.
 *
 * @param kind the name of the quota in the configuration
 */
export function quotaExceeded(kind: string, quota: number, adminContact: string | undefined): ConnectError {
  return toConnectError({
    status: 403,
    errcode: 'M_RESOURCE_LIMIT_EXCEEDED',
    message: `This exceeds the quota '${kind}' of the account, which is ${quota}: delete some first, or ask an administrator for more`,
    extra: { limit_type: kind, ...(adminContact === undefined ? {} : { admin_contact: adminContact }) },
  });
}

/** The disk has no space for what the request stores. */
export function insufficientStorage(adminContact: string | undefined): ConnectError {
  return toConnectError({
    status: 507,
    errcode: 'M_RESOURCE_LIMIT_EXCEEDED',
    message: 'The server does not have enough free space',
    extra: { limit_type: 'disk', ...(adminContact === undefined ? {} : { admin_contact: adminContact }) },
  });
}

/**
 * No administrator has approved the account yet (behaviour.md 14.1). The server does not tell the user when it is
 * approved: the medium of the notice is none.
 */
export function awaitingApproval(): ConnectError {
  return toConnectError({
    status: 403,
    errcode: 'ORG.MATRIX.MSC3866_USER_AWAITING_APPROVAL',
    message: 'This account awaits the approval of an administrator',
    extra: { approval_notice_medium: 'org.matrix.msc3866.none' },
  });
}

/** Keys were sent to a key backup that is not the current one (client-plane.md 12). */
export function wrongKeyBackup(currentVersion: string): ConnectError {
  return toConnectError({
    status: 403,
    errcode: 'M_WRONG_ROOM_KEYS_VERSION',
    message: 'This is not the current key backup',
    extra: { current_version: currentVersion },
  });
}
