import { create, type Message } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createContextKey,
  type Interceptor,
  type StreamRequest,
  type StreamResponse,
  type UnaryRequest,
} from '@connectrpc/connect';
import { doneTargets, toRefusal } from '@steward/errors';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import {
  hasScopes,
  headers,
  methodRules,
  plannedKey,
  type Requester,
  reasonOf,
  requesterKey,
  scopesOf,
  setPosition,
} from '@steward/rpc';
import { type AuditedMethod, auditedMethod, plannedCalls } from './audited-method.ts';
import { describeRequest } from './describe-request.ts';
import type { End, Entry } from './entry.ts';
import type { Fingerprint } from './fingerprints.ts';
import { type ReportedCall, recordKey } from './record-call.ts';
import { reportedEventKey } from './report-event.ts';
import { createReasonCheck } from './required-reasons.ts';
import { targetText } from './target-text.ts';
import { tokenKindOf } from './token-kind.ts';
import type { AuditTrail } from './trail.ts';

/** The three interceptors of the audit log. */
export interface AuditInterceptors {
  /** The outermost: records the outcomes of administrative calls. */
  readonly outcomes: Interceptor;
  /** After the caller was identified: records the calls of administrators who act as other users. */
  readonly impersonations: Interceptor;
  /** The innermost: records admitted calls before they are carried out. */
  readonly requests: Interceptor;
}

/** What the interceptors depend on. */
export interface AuditOptions {
  /** The scopes whose recorded calls need a reason; none when unset. */
  readonly requireReason?: readonly Scope[];
  /** Converts an error of a library to a refusal, see `reportFaults`. */
  readonly translate?: (error: unknown) => unknown;
}

type Request = UnaryRequest | StreamRequest;

/** A call that is recorded. */
interface RecordedCall {
  entry: Entry;
  /** Whether the entry was stored before the call; that of a read is stored with its answer. */
  readonly isStored: boolean;
  /** Targets that are known since. */
  readonly targets: string[];
}

/** The handlers of the ends of calls. */
interface OutcomeHandlers {
  /** @param header the header of the answer, which is sent after this */
  succeeded(answer: Message, header: Headers): Promise<void>;
  failed(error: unknown): Promise<void>;
}

const FIRST_FAULT_STATUS = 500;
const FORBIDDEN_STATUS = 403;

const recordedKey = createContextKey<RecordedCall | undefined>(undefined, {
  description: 'the entry of the call in the audit log',
});

/**
 * The id and the time of the entry of a call which another attempt has begun to record; all attempts then have one entry.
 * `null` for a repetition that is not carried out, which has none.
 */
export const entryKey = createContextKey<Pick<Entry, 'id' | 'ts'> | null | undefined>(undefined, {
  description: 'the entry that other attempts of the call have in the audit log',
});

const firstKey = createContextKey<(() => Message) | undefined>(undefined, {
  description: 'returns the first message of the stream',
});

/**
 * Records administrative calls, and calls by administrators who act as other users, see `AuditedMethod`: before they are
 * carried out, and again with their outcome before they are answered; reads only before they are answered. The refusal of an
 * identified caller is recorded too, but its answer does not wait for that. The outcome of an aborted call stays unknown,
 * because its handler may have completed. That of a stream is known with the first message of the answer.
 */
export function audit(
  trail: Pick<
    AuditTrail,
    'begin' | 'extend' | 'end' | 'recordRead' | 'recordReadOnce' | 'recordRefusal' | 'newId' | 'fingerprint'
  >,
  { requireReason = [], translate = (error) => error }: AuditOptions = {},
): AuditInterceptors {
  const requireReasonFor = createReasonCheck(requireReason);
  const fingerprint = (secret: string) => trail.fingerprint(secret);
  const entryOf = (
    request: Request,
    method: AuditedMethod,
    message: Message,
    makesEvent = false,
    details?: ReportedCall['details'],
  ): Entry => {
    const caller = request.contextValues.get(requesterKey);
    const { json, truncated } = describeRequest(
      request.method.input,
      message,
      !request.header.has(headers.deferredRefusal),
      // What users of the client API write is not for the log.
      !method.isAdministrative && isActingAsOther(caller) ? method.pathFields : undefined,
    );
    return {
      ...(request.contextValues.get(entryKey) ?? trail.newId()),
      action: method.action,
      actor: caller?.owner ?? '',
      actingAs: isActingAsOther(caller) ? caller.userId : '',
      tokenKind: tokenKindOf(caller),
      deviceId: caller?.deviceId ?? '',
      address: request.header.get(headers.clientAddress) ?? '',
      requestId: request.header.get(headers.requestId) ?? '',
      targets: method.targetsOfRequest(message, fingerprint),
      request: details ? JSON.stringify({ ...JSON.parse(json), ...details }) : json,
      requestTruncated: truncated,
      reason: reasonOf(request.header),
      eventType: makesEvent ? method.eventType : '',
    };
  };
  /** Ends the entry of a call; records a refused attempt that has none. */
  const endsOf = (
    request: Request,
    method: AuditedMethod,
    isAttempt: (end: End, caller: Requester) => boolean,
  ): OutcomeHandlers => ({
    async succeeded(answer, header) {
      const recorded = request.contextValues.get(recordedKey);
      if (!recorded?.isStored) return;
      await trail.end(recorded.entry, change(method, request, answer, recorded, fingerprint));
      if (method.isAdministrative) setPosition(header, recorded.entry.id);
    },
    async failed(error) {
      const end = failure(translate(error));
      if (!end || request.contextValues.get(entryKey) === null) return;
      const recorded = request.contextValues.get(recordedKey);
      const caller = request.contextValues.get(requesterKey);
      const isRefused = end.outcome === 'refused' && caller !== undefined;
      if (recorded?.isStored) await trail.end(recorded.entry, { ...end, targets: recorded.targets });
      else if (recorded && isRefused)
        trail.recordRefusal(recorded.entry, { ...end, targets: recorded.targets });
      else if (isRefused && isAttempt(end, caller))
        trail.recordRefusal(entryOf(request, method, messageOf(request)), end);
    },
  });

  return {
    outcomes: (next) => (request) => {
      const method = methodOf(request);
      if (method.recordedCalls === 'as_another_user') return next(request);
      const isAttempt = ({ status }: End, caller: Requester) =>
        method.recordedCalls === 'each' ||
        isActingAsOther(caller) ||
        (method.isAdministrative && status === FORBIDDEN_STATUS);
      return observeOutcome(next, request, endsOf(request, method, isAttempt));
    },
    impersonations: (next) => (request) => {
      const caller = request.contextValues.get(requesterKey);
      if (!isActingAsOther(caller)) return next(request);
      const method = methodOf(request);
      // The ends of all others are left to `outcomes`.
      const isOwnEnd = method.recordedCalls === 'as_another_user';
      const ends = endsOf(request, method, () => true);
      return observeOutcome(next, request.stream ? rememberFirstMessage(request) : request, {
        async succeeded(answer, header) {
          if (method.isRead && !request.contextValues.get(recordedKey)) {
            const end = success(method, request, answer, [], fingerprint);
            await trail.recordReadOnce(caller.tokenId, entryOf(request, method, messageOf(request)), end);
          } else if (isOwnEnd) {
            await ends.succeeded(answer, header);
          }
        },
        async failed(error) {
          if (isOwnEnd) await ends.failed(error);
        },
      });
    },
    requests: (next) => {
      const audited = (request: Request, method: AuditedMethod, isEach: boolean) => {
        const record = async (
          message: Message,
          { scope, targets = [], details }: ReportedCall,
          makesEvent: boolean,
        ) => {
          const used = scope === undefined ? [] : [scope];
          if (method.isAdministrative || scope !== undefined)
            requireReasonFor([...scopesOf(methodRules(request.method), message), ...used], request.header);
          const further = targets.map(targetText);
          const recorded = request.contextValues.get(recordedKey);
          if (recorded) {
            recorded.targets.push(...further);
            if (makesEvent) recorded.entry = { ...recorded.entry, eventType: method.eventType };
            if (recorded.isStored && further.some((target) => !recorded.entry.targets.includes(target)))
              recorded.entry = await trail.extend(recorded.entry, recorded.targets);
            return;
          }
          const entry = entryOf(request, method, message, makesEvent, details);
          if (!method.isRead) await trail.begin({ ...entry, targets: [...entry.targets, ...further] });
          const isStored = !method.isRead;
          request.contextValues.set(recordedKey, { entry, isStored, targets: further });
        };
        const reads: OutcomeHandlers = {
          async succeeded(answer) {
            const recorded = request.contextValues.get(recordedKey);
            if (recorded)
              await trail.recordRead(
                recorded.entry,
                success(method, request, answer, recorded.targets, fingerprint),
              );
          },
          async failed() {},
        };
        const carryOut = (admitted: Request) =>
          method.isRead ? observeOutcome(next, admitted, reads) : next(admitted);
        if (request.stream && !mayBeRecorded(request)) return next(request);
        request.contextValues.set(recordKey, (call) => record(messageOf(request), call, true));
        // What an administrator does as another user in the client API is an event only if the method says so itself.
        const recordEach = (message: Message) => record(message, {}, method.recordedCalls === 'each');
        if (request.stream)
          return carryOut(
            rememberFirstMessage(request, (message) => (isEach ? recordEach(message) : undefined)),
          );
        return isEach ? recordEach(request.message).then(() => carryOut(request)) : carryOut(request);
      };
      return (request) => {
        const method = methodOf(request);
        const isEach =
          method.recordedCalls === 'each' ||
          (!method.isRead && isActingAsOther(request.contextValues.get(requesterKey)));
        return isEach || method.recordedCalls === 'reported'
          ? audited(request, method, isEach)
          : next(request);
      };
    },
  };
}

/** How a call is recorded. */
function methodOf({ method, contextValues }: Request): AuditedMethod {
  const audited = auditedMethod(method);
  return contextValues.get(plannedKey) ? plannedCalls(audited) : audited;
}

/** Whether the caller is an administrator who acts as another user. */
function isActingAsOther(caller: Requester | undefined): caller is Requester {
  return caller !== undefined && caller.userId !== caller.owner;
}

/** Whether the caller of a stream may use an administrator's right; those of all others are passed on as they are. */
function mayBeRecorded({ contextValues }: Request): boolean {
  const caller = contextValues.get(requesterKey);
  return caller !== undefined && (hasScopes(caller) || isActingAsOther(caller));
}

type Next = Parameters<Interceptor>[0];

/** Makes a call; waits for what is done with its end: of a stream, with its first message. */
async function observeOutcome(next: Next, request: Request, ends: OutcomeHandlers): ReturnType<Next> {
  let response: Awaited<ReturnType<Next>>;
  try {
    response = await next(request);
  } catch (error) {
    await ends.failed(error);
    throw error;
  }
  if (response.stream)
    return mayBeRecorded(request) ? { ...response, message: observeMessages(response, ends) } : response;
  await ends.succeeded(response.message, response.header);
  return response;
}

async function* observeMessages(
  { message: messages, header }: Pick<StreamResponse, 'message' | 'header'>,
  ends: OutcomeHandlers,
): AsyncGenerator<Message> {
  let hasBegun = false;
  try {
    for await (const message of messages) {
      if (!hasBegun) {
        hasBegun = true;
        await ends.succeeded(message, header);
      }
      yield message;
    }
  } catch (error) {
    if (!hasBegun) await ends.failed(error);
    throw error;
  }
}

/** The request of a unary call; of a stream, its first message if that was read. */
function messageOf(request: Request): Message {
  if (!request.stream) return request.message;
  return request.contextValues.get(firstKey)?.() ?? create(request.method.input);
}

/** A stream whose first message `messageOf` knows; `onFirst` is awaited before its reader has it. */
function rememberFirstMessage(
  request: StreamRequest,
  onFirst: (message: Message) => Promise<void> | undefined = () => undefined,
): StreamRequest {
  let first: Message | undefined;
  async function* messages(): AsyncGenerator<Message> {
    for await (const message of request.message) {
      if (first === undefined) {
        first = message;
        await onFirst(message);
      }
      yield message;
    }
  }
  request.contextValues.set(firstKey, () => first ?? create(request.method.input));
  return { ...request, message: messages() };
}

function success(
  method: AuditedMethod,
  request: Request,
  answer: Message,
  targets: readonly string[],
  fingerprint: Fingerprint,
): End {
  const compat = request.header.get(headers.profile) === 'compat';
  return {
    outcome: 'ok',
    status: method.statusOf(answer, { compat }),
    errcode: '',
    taskId: method.taskOf(answer),
    targets: [...targets, ...method.targetsOfAnswer(answer, fingerprint)],
  };
}

/** The end of a successful change, with the event that it makes. */
function change(
  method: AuditedMethod,
  request: Request,
  answer: Message,
  { entry, targets }: RecordedCall,
  fingerprint: Fingerprint,
): End {
  const reported = request.contextValues.get(reportedEventKey);
  const further = reported?.targets.map(targetText) ?? [];
  const end = success(method, request, answer, [...targets, ...further], fingerprint);
  if (entry.eventType === '') return end;
  const dataJson = method.eventData(messageOf(request), answer, reported);
  return { ...end, event: { type: reported?.type ?? method.eventType, dataJson } };
}

/**
 * The end of a failed call; `undefined` for an aborted one, whose handler may still run, and for one that an interrupted attempt has
 * carried out: of both the outcome stays unknown.
 */
function failure(error: unknown): End | undefined {
  if (doneTargets(error)) return undefined;
  if (isAborted(error)) return undefined;
  const { status, errcode = '' } = toRefusal(error);
  const outcome = status < FIRST_FAULT_STATUS ? 'refused' : 'failed';
  return { outcome, status, errcode, taskId: '', targets: [] };
}

/** Whether the caller of a failed call no longer waits, while its handler may go on. */
export function isAborted(error: unknown): boolean {
  return (
    error instanceof ConnectError && (error.code === Code.DeadlineExceeded || error.code === Code.Canceled)
  );
}
