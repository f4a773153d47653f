import type { ConnectError } from '@connectrpc/connect';
import { type Json, toConnectError } from './refusal.ts';

type Extra = Readonly<Record<string, Json>>;

const entry =
  (status: number, errcode: string, extra?: Extra) =>
  (message: string): ConnectError =>
    toConnectError({ status, errcode, message, ...(extra ? { extra } : {}) });

/**
 * Every refusal that steward gives, by what went wrong. Each takes the text for people; a caller
 * throws what it returns.
 */
export const refuse = {
  /** A check that names no errcode of its own (behaviour.md 0.3). */
  unknown: entry(400, 'M_UNKNOWN'),
  /** The body is not JSON, or empty where one is needed. */
  notJson: entry(400, 'M_NOT_JSON'),
  /** JSON of the wrong shape. */
  badJson: entry(400, 'M_BAD_JSON'),
  /** A required key or parameter is absent. */
  missingParam: entry(400, 'M_MISSING_PARAM'),
  /** A parameter's value is unusable. */
  invalidParam: entry(400, 'M_INVALID_PARAM'),
  /** A signature is missing or does not fit. */
  invalidSignature: entry(400, 'M_INVALID_SIGNATURE'),
  /** A user name breaks the grammar. */
  invalidUsername: entry(400, 'M_INVALID_USERNAME'),
  /** The user name belongs to an account already. */
  userInUse: entry(400, 'M_USER_IN_USE'),
  /** A password that is too easy to guess, in a way that has no errcode of its own. */
  weakPassword: entry(400, 'M_WEAK_PASSWORD'),
  /** A password has fewer characters than the policy wants. */
  passwordTooShort: entry(400, 'M_PASSWORD_TOO_SHORT'),
  /** A password lacks the digit that the policy wants. */
  passwordWithoutDigit: entry(400, 'M_PASSWORD_NO_DIGIT'),
  /** A password lacks the symbol that the policy wants. */
  passwordWithoutSymbol: entry(400, 'M_PASSWORD_NO_SYMBOL'),
  /** A password lacks the upper-case letter that the policy wants. */
  passwordWithoutUppercase: entry(400, 'M_PASSWORD_NO_UPPERCASE'),
  /** A password lacks the lower-case letter that the policy wants. */
  passwordWithoutLowercase: entry(400, 'M_PASSWORD_NO_LOWERCASE'),
  /** Addresses of this medium can be neither confirmed nor changed here. */
  threepidMediumNotSupported: entry(400, 'M_THREEPID_MEDIUM_NOT_SUPPORTED'),
  /** A text is longer than the field may be. */
  tooLong: entry(400, 'M_TOO_LARGE'),
  /** A forbidden thing that is answered as a bad request. */
  forbiddenRequest: entry(400, 'M_FORBIDDEN'),
  /** An unknown value of a closed set on the client API. */
  unrecognizedValue: entry(400, 'M_UNRECOGNIZED'),
  /** A room version that steward does not know. */
  unsupportedRoomVersion: entry(400, 'M_UNSUPPORTED_ROOM_VERSION'),
  /** The alias stands for another room. */
  roomInUse: entry(400, 'M_ROOM_IN_USE'),
  /** An alias that does not stand for the room that claims it. */
  badAlias: entry(400, 'M_BAD_ALIAS'),
  /** The same reaction to the same event by the same user. */
  duplicateAnnotation: entry(400, 'M_DUPLICATE_ANNOTATION'),
  /** Nobody here may vouch for a join by the membership of another room. */
  unableToGrantJoin: entry(400, 'M_UNABLE_TO_GRANT_JOIN'),
  /** No room is known whose members may join. */
  unableToAuthoriseJoin: entry(400, 'M_UNABLE_TO_AUTHORISE_JOIN'),
  /** No token, or one that is sent in two ways. */
  missingToken: entry(401, 'M_MISSING_TOKEN'),
  /** A token that nobody holds any more. */
  unknownToken: entry(401, 'M_UNKNOWN_TOKEN', { soft_logout: false }),
  /** A token past its `valid_until_ms`. */
  expiredToken: entry(401, 'M_UNKNOWN_TOKEN', { soft_logout: true }),
  /** The account is locked. */
  userLocked: entry(401, 'M_USER_LOCKED', { soft_logout: true }),
  /** The caller may not do this. */
  forbidden: entry(403, 'M_FORBIDDEN'),
  /** The account was valid for a time, which is over. */
  expiredAccount: entry(403, 'ORG_MATRIX_EXPIRED_ACCOUNT'),
  /** Guests may not do this. */
  guestForbidden: entry(403, 'M_GUEST_ACCESS_FORBIDDEN'),
  /** The account is suspended: it may only read, and leave. */
  userSuspended: entry(403, 'M_USER_SUSPENDED'),
  /** The room is the one of server notices, which whoever is invited to joins first. */
  noticeRoom: entry(403, 'M_CANNOT_LEAVE_SERVER_NOTICE_ROOM'),
  /** The user's present state does not permit this. */
  badState: entry(403, 'M_BAD_STATE'),
  /** A refused proof that names no errcode of its own. */
  refusedProof: entry(403, 'M_UNKNOWN'),
  /** The thing asked for does not exist. */
  notFound: entry(404, 'M_NOT_FOUND'),
  /** As `notFound`, where the documented errcode is the unspecific one. */
  notFoundUnknown: entry(404, 'M_UNKNOWN'),
  /** No such path. */
  unrecognized: entry(404, 'M_UNRECOGNIZED'),
  /** The thing is read here and set elsewhere. */
  notSetHere: entry(405, 'M_BAD_JSON'),
  /** The path exists, the method does not. */
  methodNotAllowed: entry(405, 'M_UNRECOGNIZED'),
  /** The thing belongs to somebody else. */
  conflict: entry(409, 'M_UNKNOWN'),
  /** The thing has come further than the request supposes. */
  tooLate: entry(409, 'M_UNKNOWN'),
  /** The body is larger than the server accepts. */
  tooLarge: entry(413, 'M_TOO_LARGE'),
  /** Another server would have to be asked, and cannot be. */
  unreachableServer: entry(502, 'M_UNKNOWN'),
  /** The server cannot answer at present; trying again later is right. */
  unavailable: entry(503, 'M_UNKNOWN'),
} as const;

/** What user-interactive authentication still asks for (client-plane.md 2.4). */
export interface InteractiveChallenge {
  readonly flows: readonly { readonly stages: readonly string[] }[];
  readonly params: { readonly [stage: string]: Json };
  readonly session: string;
  /** The stages done; left out of the first answer. */
  readonly completed?: readonly string[];
}

/** The 401 that asks for a further stage; with `failure`, because the last one failed. */
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

/** Too many actions in a time; after `retryAfterMs` milliseconds one more is permitted (client-plane.md 9). */
export function limitExceeded(retryAfterMs: number): ConnectError {
  return toConnectError({
    status: 429,
    errcode: 'M_LIMIT_EXCEEDED',
    message: 'Too many requests',
    extra: { retry_after_ms: retryAfterMs },
  });
}

/**
 * More users are active in a month than the server admits (client-plane.md 8.4); `adminContact` is where
 * to turn to, if anybody says so.
 */
export function monthlyUsersExceeded(adminContact: string | undefined): ConnectError {
  return toConnectError({
    status: 403,
    errcode: 'M_RESOURCE_LIMIT_EXCEEDED',
    message: 'This server has as many active users as it admits in a month',
    extra: {
      limit_type: 'monthly_active_user',
      ...(adminContact === undefined ? {} : { admin_contact: adminContact }),
    },
  });
}

/** A key backup that is not the current one takes no keys (client-plane.md 12). */
export function wrongKeyBackup(currentVersion: string): ConnectError {
  return toConnectError({
    status: 403,
    errcode: 'M_WRONG_ROOM_KEYS_VERSION',
    message: 'This is not the current key backup',
    extra: { current_version: currentVersion },
  });
}
