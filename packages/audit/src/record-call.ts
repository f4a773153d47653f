import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import type { Json } from '@steward/errors';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';

/** What a method knows of a call that it reports. */
export interface ReportedCall {
  /** The scope that the caller uses, in addition to that of the method. */
  readonly scope?: Scope;
  /** Further targets, which the request does not name. */
  readonly targets?: readonly string[];
  /** What decides what the call does and the request does not contain; only the first report of a call counts. */
  readonly details?: Readonly<Record<string, Json>>;
}

/** Records the current call; undefined where calls are not recorded. */
export const recordKey = createContextKey<((call: ReportedCall) => Promise<void>) | undefined>(undefined, {
  description: 'records the call in the audit log',
});

/**
 * Records the current call, for methods that declare `AUDIT_BY_HANDLER`: they call it when an administrator's
 * right is used, before the first change, or before private content is returned. Other methods, whose calls are recorded already, add
 * targets with it. It does nothing for calls between services.
 *
 * @throws refuse.missingParam when a scope that is used requires a reason and the request states none
 * @throws Unavailable when the call cannot be recorded
 */
export async function recordCall(context: HandlerContext, call: ReportedCall = {}): Promise<void> {
  await context.values.get(recordKey)?.(call);
}
