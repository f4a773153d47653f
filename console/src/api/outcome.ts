import { StewardError } from '@steward/sdk';

const GATEWAY_STATUSES = new Set([502, 503, 504]);

/** Whether an order may have been carried out although it failed here: no answer came, or one from between. */
export function isUnknownOutcome(error: unknown): boolean {
  return (
    error instanceof StewardError &&
    (error.errcode === 'NETWORK_ERROR' ||
      error.errcode === 'TIMEOUT' ||
      error.errcode === 'INVALID_ANSWER' ||
      GATEWAY_STATUSES.has(error.status) ||
      error.status === 500)
  );
}
