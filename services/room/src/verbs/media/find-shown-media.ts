import { refuse } from '@steward/errors';
import type { FindShownMediaRequest } from '@steward/proto/steward/room/v1/media_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** The most content URIs of one request. */
const MAX_URIS = 1_000;

/**
 * Returns which content URIs an event of a room shows now, as a medium or as an avatar; for other services. Redacted events show
 * nothing, and neither do those of rooms that were removed.
 */
export async function findShownMedia({ events }: Pick<Deps, 'events'>, { uris }: FindShownMediaRequest) {
  if (uris.length > MAX_URIS) throw refuse.invalidParam(`At most ${MAX_URIS} media at once`);
  const fields = { projection: { _id: 1 } } as const;
  const shown: string[] = [];
  for (const uri of new Set(uris)) {
    // One query for each URI: very many events may show the same medium, and one of them is enough.
    const found =
      (await events.findOne({ media: uri, arrival: { $gte: 1 } }, fields)) ??
      (await events.findOne({ avatar: uri, arrival: { $gte: 1 } }, fields)) ??
      (await events.findOne({ other_media: uri, arrival: { $gte: 1 } }, fields));
    if (found) shown.push(uri);
  }
  return { uris: shown };
}
