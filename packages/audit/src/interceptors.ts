import type { Message } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createContextKey,
  type Interceptor,
  type UnaryRequest,
} from '@connectrpc/connect';
import { toRefusal } from '@steward/errors';
import { headers, requesterKey } from '@steward/rpc';
import { type AuditedMethod, auditedMethod } from './audited-method.ts';
import { describeRequest } from './describe-request.ts';
import type { End, Entry } from './entry.ts';
import { recordKey } from './record-change.ts';
import { tokenKindOf } from './token-kind.ts';
import type { AuditTrail } from './trail.ts';

/** The two interceptors of the audit log. */
export interface AuditInterceptors {
  /** The outermost: records the outcomes of calls. */
  readonly outcomes: Interceptor;
  /** The innermost: records admitted calls before they are carried out. */
  readonly requests: Interceptor;
}

const FIRST_FAULT_STATUS = 500;

const entryKey = createContextKey<Entry | undefined>(undefined, {
  description: 'the entry of the call in the audit log',
});

/**
 * Records administrative calls, see `AuditedMethod`: before they are carried out, and again with their outcome
 * before they are answered. The refusal of an identified caller is recorded too, but its answer does not wait for
 * that. The outcome of an aborted call stays unknown, because its handler may have completed.
 */
export function audit(
  trail: Pick<AuditTrail, 'begin' | 'end' | 'recordRefusal' | 'newId'>,
): AuditInterceptors {
  const entryOf = (request: UnaryRequest, { action, targetsOfRequest }: AuditedMethod): Entry => {
    const caller = request.contextValues.get(requesterKey);
    const message = request.message as Message;
    const { json, truncated } = describeRequest(
      request.method.input,
      message,
      !request.header.has(headers.deferredRefusal),
    );
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
    outcomes: (next) => {
      const audited = async (request: UnaryRequest, method: AuditedMethod) => {
        try {
          const response = await next(request);
          const entry = request.contextValues.get(entryKey);
          if (entry) await trail.end(entry, success(method, request, response.message as Message));
          return response;
        } catch (error) {
          const entry = request.contextValues.get(entryKey);
          const end = failure(error);
          if (entry && end) await trail.end(entry, end);
          const isIdentified = request.contextValues.get(requesterKey) !== undefined;
          if (!entry && method.each && isIdentified && end?.outcome === 'refused')
            trail.recordRefusal(entryOf(request, method), end);
          throw error;
        }
      };
      return (request) => {
        const method = auditedMethod(request.method);
        return !method || request.stream ? next(request) : audited(request, method);
      };
    },
    requests: (next) => {
      const audited = async (request: UnaryRequest, method: AuditedMethod) => {
        const record = async () => {
          const entry = entryOf(request, method);
          await trail.begin(entry);
          request.contextValues.set(entryKey, entry);
        };
        if (method.each) await record();
        else request.contextValues.set(recordKey, record);
        return next(request);
      };
      return (request) => {
        const method = auditedMethod(request.method);
        return !method || request.stream ? next(request) : audited(request, method);
      };
    },
  };
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

/** The end of a failed call; `undefined` for an aborted one, whose handler may still run. */
function failure(error: unknown): End | undefined {
  if (error instanceof ConnectError && (error.code === Code.DeadlineExceeded || error.code === Code.Canceled))
    return undefined;
  const { status, errcode = '' } = toRefusal(error);
  const outcome = status < FIRST_FAULT_STATUS ? 'refused' : 'failed';
  return { outcome, status, errcode, taskId: '', targets: [] };
}
