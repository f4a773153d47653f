import type { messages } from '../../messages/en/common.ts';

/** A message that explains a refusal, below `error` in the messages of all pages. */
export type Explanation = Exclude<keyof (typeof messages)['error'], 'request_id' | 'details'>;

/** What the errcodes mean, where each says more than its status. Errcodes of later servers are explained by their status. */
const BY_ERRCODE: Readonly<Record<string, Explanation>> = {
  M_CANNOT_LEAVE_SERVER_NOTICE_ROOM: 'notice_room',
  M_GUEST_ACCESS_FORBIDDEN: 'guest',
  M_PASSWORD_NO_DIGIT: 'weak_password',
  M_PASSWORD_NO_LOWERCASE: 'weak_password',
  M_PASSWORD_NO_SYMBOL: 'weak_password',
  M_PASSWORD_NO_UPPERCASE: 'weak_password',
  M_PASSWORD_TOO_SHORT: 'weak_password',
  M_RESOURCE_LIMIT_EXCEEDED: 'resource_limit',
  M_ROOM_IN_USE: 'alias_in_use',
  M_TOO_LARGE: 'too_large',
  M_USER_IN_USE: 'user_in_use',
  M_USER_LOCKED: 'locked',
  M_USER_SUSPENDED: 'suspended',
  M_WEAK_PASSWORD: 'weak_password',
  ORG_MATRIX_EXPIRED_ACCOUNT: 'expired',
  STEWARD_CREDENTIAL_LIMITED: 'limited_credential',
  STEWARD_SECOND_FACTOR_REQUIRED: 'must_enrol',
  STEWARD_POSITION_GONE: 'position_gone',
  STEWARD_STEP_UP_REQUIRED: 'step_up',
};

const BY_STATUS: Readonly<Record<number, Explanation>> = {
  0: 'network',
  401: 'session_ended',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  412: 'conflict',
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** Returns what a refusal means; undefined where only the sentence of the server says it. */
export function explanationOf(refusal: {
  readonly status: number;
  readonly errcode: string;
}): Explanation | undefined {
  return Object.hasOwn(BY_ERRCODE, refusal.errcode) ? BY_ERRCODE[refusal.errcode] : BY_STATUS[refusal.status];
}
