import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { entryTime } from '@steward/audit';
import { createNotifier } from '@steward/kernel';
import {
  AuditService,
  type AwaitEntriesRequest,
  type AwaitEntriesResponseSchema,
} from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { methodRules } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';

const MAX_WAIT_MS = methodRules(AuditService.method.awaitEntries).maxWaitMs;

/** How often the log is read without being woken, because another process may record an entry; in milliseconds. */
const POLL_MS = 100;

/** How far the time of an entry may be from now whose outcome may still arrive, in milliseconds; clocks of processes differ a little. */
const AWAITED_MS = 60_000;

/**
 * Waits until requests have their outcomes in the audit log. An entry with an outcome has its event in the feed. It does not
 * wait for entries of other times, which callers may invent.
 */
export async function awaitEntries(
  deps: Pick<Deps, 'auditLog' | 'clock' | 'outcomeWaits'>,
  { entryIds }: Pick<AwaitEntriesRequest, 'entryIds'>,
  { signal }: Pick<HandlerContext, 'signal'>,
): Promise<MessageInitShape<typeof AwaitEntriesResponseSchema>> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  const isAwaited = (id: string) => Math.abs(entryTime(id) - deps.clock.now()) <= AWAITED_MS;
  const ids = [...new Set(entryIds)].filter(isAwaited);
  if (ids.length === 0) return { recorded: true };
  const notifier = createNotifier();
  const leave = deps.outcomeWaits.enter(ids, notifier);
  try {
    for (;;) {
      const seen = notifier.count();
      if (await haveOutcomes(deps, ids)) return { recorded: true };
      if (ended.aborted) return { recorded: false };
      await notifier.wait(seen, POLL_MS);
    }
  } finally {
    leave();
  }
}

async function haveOutcomes({ auditLog }: Pick<Deps, 'auditLog'>, ids: readonly string[]): Promise<boolean> {
  const entries = await auditLog.find({ _id: { $in: ids } }, { projection: { outcome: 1 } }).toArray();
  return entries.filter(({ outcome }) => outcome !== 'unknown').length === ids.length;
}
