import { createHash, createHmac } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Interceptor, UnaryRequest, UnaryResponse } from '@connectrpc/connect';
import {
  type AuditedMethod,
  type AuditTrail,
  auditedMethod,
  entryKey,
  fieldValue,
  isAborted,
} from '@steward/audit';
import { actionInProgress, alreadyDone, doneTargets, refuse, toRefusal } from '@steward/errors';
import { idOf } from '@steward/kernel';
import {
  headers,
  methodRules,
  type Requester,
  readEntityTag,
  repeatableKey,
  requesterKey,
  setEntityTag,
  setPosition,
  setReplayed,
} from '@steward/rpc';
import type { IdempotencyKeys, KeptAnswer, KeyedAction } from './idempotency-keys.ts';

/** The length of the ids that are derived from a seed, in bytes; as random ones. */
const ID_BYTES = 16;

const FIRST_FAULT_STATUS = 500;

/**
 * Carries out administrative requests with an `Idempotency-Key` once. A repetition gets the answer of the first attempt that
 * succeeded, whose entry is the only one in the audit log. Attempts that were refused are forgotten. One that failed, or was interrupted, is
 * made again: what it creates has the same ids, and after an interruption the same entry. It stands after the caller was admitted, and before the
 * request is recorded.
 *
 * The key belongs to the caller, the method and the path. Requests of the client API, reads, streams and those that set a cookie are carried out
 * each time.
 *
 * @throws refuse.keyReused for a key that was sent with another request
 * @throws actionInProgress while another attempt is made
 * @throws alreadyDone for a repetition whose answer is not kept
 */
export function carryOutOnce(
  keys: Pick<IdempotencyKeys, 'claim'>,
  trail: Pick<AuditTrail, 'newId' | 'fingerprint'>,
): Interceptor {
  return (next) => async (request) => {
    const key = request.header.get(headers.idempotencyKey);
    const caller = request.contextValues.get(requesterKey);
    if (key === null || caller === undefined || request.stream) return next(request);
    const method = auditedMethod(request.method);
    if (!method.isAdministrative || method.isRead || methodRules(request.method).sessionCookie)
      return next(request);
    const claim = await keys.claim(actionOf(request, method, caller, key), () => trail.newId());
    if (claim.kind !== 'attempt') {
      // It has no entry of its own.
      request.contextValues.set(entryKey, null);
      if (claim.kind === 'answered') return replay(request, claim.answer);
      throw claim.kind === 'in_progress'
        ? actionInProgress(claim.retryAfterMs)
        : refuse.keyReused('The idempotency key was sent with another request before; use a new one');
    }
    const { attempt } = claim;
    request.contextValues.set(entryKey, attempt.entry);
    request.contextValues.set(repeatableKey, {
      ts: attempt.ts,
      isRepeated: attempt.isRepeated,
      id: (part) => derivedId(attempt.seed, part),
    });
    const response = await next(request).catch(async (error: unknown) => {
      const done = doneTargets(error);
      if (done) await attempt.succeeded({ message: undefined, entityTag: undefined, targets: done });
      else if (isAborted(error)) attempt.abandoned();
      else if (toRefusal(error).status < FIRST_FAULT_STATUS) await attempt.refused();
      else await attempt.failed();
      throw error;
    });
    if (response.stream) return response;
    // The handler may have returned the values of the message alone.
    const answer = create(request.method.output, response.message);
    await attempt.succeeded({
      message: method.hasSecret(answer) ? undefined : toBinary(request.method.output, answer),
      entityTag: readEntityTag(response.header),
      targets: [
        ...method.targetsOfRequest(request.message, trail.fingerprint),
        ...method.targetsOfAnswer(answer, trail.fingerprint),
      ],
    });
    return response;
  };
}

function actionOf(
  { method: desc, message }: UnaryRequest,
  { pathFields }: AuditedMethod,
  { owner, userId }: Requester,
  key: string,
): KeyedAction {
  const path = [...pathFields].map((field) => [field.name, String(fieldValue(message, field))]);
  const scope = [owner, userId, desc.parent.typeName, desc.name, path, key];
  return {
    id: createHash('sha256').update(JSON.stringify(scope)).digest('base64url'),
    // Keyed with what is not stored, so that a password in the request cannot be guessed with it.
    request: createHmac('sha256', key).update(toBinary(desc.input, message)).digest('base64url'),
  };
}

function derivedId(seed: string, part: string): string {
  return idOf(createHmac('sha256', seed).update(part).digest().subarray(0, ID_BYTES));
}

/** The answer of a repetition. */
function replay(
  { service, method }: UnaryRequest,
  { message, entityTag, targets, entry }: KeptAnswer,
): UnaryResponse {
  if (message === undefined) throw alreadyDone(targets);
  const header = new Headers();
  setReplayed(header);
  if (entityTag !== undefined) setEntityTag(header, entityTag);
  if (entry) setPosition(header, entry.id);
  return {
    stream: false,
    service,
    method,
    header,
    trailer: new Headers(),
    message: fromBinary(method.output, message),
  };
}
