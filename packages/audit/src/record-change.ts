import { createContextKey, type HandlerContext } from '@connectrpc/connect';

/** Records the current call; undefined where calls are not recorded. */
export const recordKey = createContextKey<(() => Promise<void>) | undefined>(undefined, {
  description: 'records the call in the audit log',
});

/**
 * Records the current call, for methods that declare `AUDIT_BY_HANDLER`: they call it when an administrator's
 * right is used, before the first change. It does nothing for calls between services.
 */
export async function recordChange(context: HandlerContext): Promise<void> {
  await context.values.get(recordKey)?.();
}
