// Generated from docs/openapi.json; change the contracts in proto/, then run npm run generate.

/** The errcodes that the administrative API documents. */
export type DocumentedErrcode =
  | 'M_BAD_ALIAS'
  | 'M_BAD_JSON'
  | 'M_BAD_STATE'
  | 'M_FORBIDDEN'
  | 'M_GUEST_ACCESS_FORBIDDEN'
  | 'M_INVALID_PARAM'
  | 'M_INVALID_USERNAME'
  | 'M_LIMIT_EXCEEDED'
  | 'M_MISSING_PARAM'
  | 'M_MISSING_TOKEN'
  | 'M_NOT_FOUND'
  | 'M_NOT_JSON'
  | 'M_PRECONDITION_FAILED'
  | 'M_RESOURCE_LIMIT_EXCEEDED'
  | 'M_TOO_LARGE'
  | 'M_UNKNOWN'
  | 'M_UNKNOWN_TOKEN'
  | 'M_UNRECOGNIZED'
  | 'M_USER_IN_USE'
  | 'M_USER_LOCKED'
  | 'ORG.MATRIX.MSC3866_USER_AWAITING_APPROVAL'
  | 'ORG_MATRIX_EXPIRED_ACCOUNT'
  | 'STEWARD_POSITION_GONE'
  | 'STEWARD_STEP_UP_REQUIRED';
