import { createContextKey, type HandlerContext } from '@connectrpc/connect';

/** What records the call that is under way; undefined where nothing is recorded. */
export const recordKey = createContextKey<(() => Promise<void>) | undefined>(undefined, {
  description: 'what records the call in the audit log',
});

/**
 * Records the call that is under way: for methods that declare `AUDIT_BY_HANDLER`, once they
 * know that an administrator's right is used, and before they change anything. Within the process, without a
 * gateway, it does nothing.
 */
export async function recordChange(context: HandlerContext): Promise<void> {
  await context.values.get(recordKey)?.();
}
