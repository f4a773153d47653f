import type { MessageInitShape } from '@bufbuild/protobuf';
import { clampToSafe, optionalInt64 } from '@steward/kernel';
import type {
  InventoryMediaSchema,
  ListMediaRequest,
  ListMediaResponseSchema,
} from '@steward/proto/steward/media/v1/inventory_pb.ts';
import type { Deps } from '../../core/deps.ts';
import {
  type Order,
  positionOf,
  readPage,
  type SortField,
  totalsOf,
} from '../../core/inventory/read-page.ts';
import { readSelector } from '../../core/inventory/selector.ts';
import type { Media } from '../../core/model/media.ts';
import { DEFAULT_LIMIT } from '../../core/page.ts';
import { formatCursor, readCursor } from './inventory-cursor.ts';

/** The maximum number of media on a page. */
const MAX_LIMIT = 1_000;

/** The fields behind the sort keys. */
const SORT_FIELDS: Readonly<Record<string, SortField>> = {
  created_ts: 'created_ts',
  last_access_ts: 'last_access_ts',
  media_length: 'length',
};

/** Returns a page of the media that a selector finds; the first page also says how many and how large they are. */
export async function listMedia(
  deps: Pick<Deps, 'media' | 'rooms' | 'accessTimes'>,
  request: ListMediaRequest,
): Promise<MessageInitShape<typeof ListMediaResponseSchema>> {
  const selector = readSelector(request);
  const order: Order = {
    field: SORT_FIELDS[request.orderBy ?? ''] ?? 'created_ts',
    direction: request.dir === 'f' ? 1 : -1,
  };
  const after = request.from === undefined ? undefined : readCursor(request.from, order);
  const limit = Math.min(clampToSafe(request.limit ?? BigInt(DEFAULT_LIMIT)), MAX_LIMIT);
  await deps.accessTimes.flush();
  const [found, totals] = await Promise.all([
    // One more than the page, which shows whether another page follows.
    limit === 0 ? [] : readPage(deps, selector, order, after, limit + 1),
    after ? undefined : totalsOf(deps, selector),
  ]);
  const media = found.slice(0, limit);
  const last = media.at(-1);
  return {
    media: media.map(present),
    ...(found.length > limit && last ? { nextToken: formatCursor(order, positionOf(last, order)) } : {}),
    ...(totals ? { total: BigInt(totals.count), totalBytes: BigInt(totals.bytes) } : {}),
  };
}

function present(medium: Media): MessageInitShape<typeof InventoryMediaSchema> {
  return {
    origin: medium.origin,
    mediaId: medium.media_id,
    userId: medium.user_id ?? undefined,
    mediaType: medium.type,
    uploadName: medium.upload_name ?? undefined,
    mediaLength: BigInt(medium.length),
    createdTs: BigInt(medium.created_ts),
    lastAccessTs: optionalInt64(medium.last_access_ts),
    quarantinedBy: medium.quarantined_by ?? undefined,
    protected: medium.safe_from_quarantine,
    orphaned: medium.shown === undefined ? undefined : !medium.shown,
    sha256: medium.sha256 ?? undefined,
  };
}
