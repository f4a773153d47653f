import type { Checked, LoadedBatch } from '@steward/service';
import type { Doc } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import { lastPosition } from '../core/feed/read-events.ts';
import type { Webhook } from '../core/model/webhook.ts';

/** Loads webhooks, which begin with the next event of the feed. */
export async function loadWebhooks(
  deps: Deps,
  documents: readonly Checked<Doc>[],
  insert: (documents: readonly Checked<Doc>[]) => Promise<LoadedBatch>,
): Promise<LoadedBatch> {
  const position = await lastPosition(deps);
  return insert(
    documents.map((each) => {
      if ('problem' in each) return each;
      const webhook = each.document as Webhook;
      const document: Webhook = { ...webhook, progress: { ...webhook.progress, position } };
      return { document };
    }),
  );
}
