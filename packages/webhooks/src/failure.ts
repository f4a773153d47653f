import type { FailureReason } from './outcome.ts';

/** Certificates and addresses contain what others wrote. */
const MAX_DETAIL_LENGTH = 200;

/** Why a request has no answer. Its message is the detail of the outcome. */
export class Failure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, detail: string) {
    super(detail.replaceAll(/\p{C}+/gu, ' ').slice(0, MAX_DETAIL_LENGTH));
    this.reason = reason;
  }
}
