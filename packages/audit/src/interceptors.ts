import type { Message } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createContextKey,
  type Interceptor,
  type UnaryRequest,
} from '@connectrpc/connect';
import { toRefusal } from '@steward/errors';
import { headers, type Requester, requesterKey } from '@steward/rpc';
import { type AuditedMethod, auditedMethod } from './audited-method.ts';
import { describeRequest } from './describe-request.ts';
import type { End, Entry, TokenKind } from './entry.ts';
import { recordKey } from './record-change.ts';
import type { AuditTrail } from './trail.ts';

/** The two places in which calls are looked at. */
export interface AuditInterceptors {
  /** Outside of all others: records what became of calls. */
  readonly outcomes: Interceptor;
  /** Inside of all others, so that it sees calls that will be carried out: records them before they are. */
  readonly orders: Interceptor;
}

const FIRST_FAULT_STATUS = 500;

const orderedKey = createContextKey<Entry | undefined>(undefined, {
  description: 'the entry of the call in the audit log',
});

/**
 * Records what is asked with the rights of an administrator, see `AuditedMethod`: before it is carried
 * out, and once more with its outcome before it is answered. What is refused before it is carried out is
 * recorded as well, unless nobody knows who asked, without its answer waiting for that. A call that is given up is
 * carried out all the same, maybe: its outcome stays unknown.
 */
export function audit(trail: Pick<AuditTrail, 'order' | 'end' | 'refuse' | 'newId'>): AuditInterceptors {
  const entryOf = (request: UnaryRequest, { action, targetsOfRequest }: AuditedMethod): Entry => {
    const caller = request.contextValues.get(requesterKey);
    const message = request.message as Message;
    const { json, truncated } = describeRequest(request.method.input, message);
    return {
      ...trail.newId(),
      action,
      actor: caller?.owner ?? '',
      actingAs: caller && caller.userId !== caller.owner ? caller.userId : '',
      tokenKind: tokenKindOf(caller),
      deviceId: caller?.deviceId ?? '',
      address: request.header.get(headers.clientAddress) ?? '',
      requestId: request.header.get(headers.requestId) ?? '',
      targets: targetsOfRequest(message),
      request: json,
      requestTruncated: truncated,
    };
  };
  return {
    outcomes: (next) => async (request) => {
      const method = auditedMethod(request.method);
      if (!method || request.stream) return next(request);
      try {
        const response = await next(request);
        const entry = request.contextValues.get(orderedKey);
        if (entry) await trail.end(entry, success(method, request, response.message as Message));
        return response;
      } catch (error) {
        const entry = request.contextValues.get(orderedKey);
        const end = failure(error);
        if (entry && end) await trail.end(entry, end);
        const isKnown = request.contextValues.get(requesterKey) !== undefined;
        if (!entry && method.each && isKnown && end?.outcome === 'refused')
          trail.refuse(entryOf(request, method), end);
        throw error;
      }
    },
    orders: (next) => async (request) => {
      const method = auditedMethod(request.method);
      if (!method || request.stream) return next(request);
      const order = async () => {
        const entry = entryOf(request, method);
        await trail.order(entry);
        request.contextValues.set(orderedKey, entry);
      };
      if (method.each) await order();
      else request.contextValues.set(recordKey, order);
      return next(request);
    },
  };
}

function tokenKindOf(caller: Requester | undefined): TokenKind {
  if (!caller) return 'shared_secret';
  if (caller.userId !== caller.owner) return 'login_as';
  return caller.deviceId === undefined ? 'other' : 'device';
}

function success(method: AuditedMethod, request: UnaryRequest, answer: Message): End {
  const compat = request.header.get(headers.profile) === 'compat';
  return {
    outcome: 'ok',
    status: method.statusOf(answer, { compat }),
    errcode: '',
    taskId: method.taskOf(answer),
    targets: method.targetsOfAnswer(answer),
  };
}

/** What an error says of a call; `undefined` when it was given up, and may go on. */
function failure(error: unknown): End | undefined {
  if (error instanceof ConnectError && (error.code === Code.DeadlineExceeded || error.code === Code.Canceled))
    return undefined;
  const { status, errcode = '' } = toRefusal(error);
  const outcome = status < FIRST_FAULT_STATUS ? 'refused' : 'failed';
  return { outcome, status, errcode, taskId: '', targets: [] };
}
