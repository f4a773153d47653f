/**
 * Actions that are carried out once, however often a client repeats the request: an administrative request with an
 * `Idempotency-Key` leaves a record, from which repetitions are answered.
 */
export { carryOutOnce } from './carry-out-once.ts';
export { type IdempotencyKeys, idempotencyKeys, startIdempotencyKeys } from './idempotency-keys.ts';
