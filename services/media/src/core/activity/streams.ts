import { type ActivityStream, newestOf } from '@steward/activity';
import type { Deps } from '../deps.ts';
import type { Media } from '../model/media.ts';

/** What the service knows of the activity of a user: uploads that were not deleted. */
export function activityStreams({ media }: Pick<Deps, 'media'>): readonly ActivityStream[] {
  return [
    {
      name: 'media',
      read: (page) =>
        newestOf<Media>(media, page, {
          filter: { user_id: page.userId },
          time: 'created_ts',
          ties: 1,
          projection: { origin: 1, media_id: 1, type: 1, length: 1, quarantined_by: 1, created_ts: 1 },
          entry: ({ origin, media_id, type: mediaType, length, quarantined_by: quarantinedBy }) => ({
            contentUri: `mxc://${origin}/${media_id}`,
            mediaType,
            mediaLength: BigInt(length),
            ...(quarantinedBy === null ? {} : { quarantinedBy }),
          }),
        }),
    },
  ];
}
