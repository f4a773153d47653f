import { Checkbox } from '@mantine/core';
import type { InventoryMedia } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { BlurredMedia } from '../../ui/blurred-media.tsx';
import { MediaLink, UserLink } from '../../ui/links.tsx';
import type { Selection } from '../../ui/table/use-selection.ts';
import { Time } from '../../ui/time.tsx';
import { MediaBadges } from './media-badges.tsx';
import { mediaIdOf } from './media-id.ts';

interface MediaCardProps {
  readonly media: InventoryMedia;
  /** The place in the list, starting at 1, and how many the list has. */
  readonly position: number;
  readonly total: number;
  /** The size of the preview, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly revealed: boolean;
  readonly selection: Selection | undefined;
}

/** A medium in the grid. */
export function MediaCard(props: MediaCardProps) {
  const { media, position, total, width, height, revealed, selection } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const id = mediaIdOf(media);
  const name = media.upload_name ?? media.media_id;
  return (
    // biome-ignore lint/a11y/useSemanticElements: an item of the list whose rows are positioned
    <div
      role="listitem"
      aria-posinset={position}
      aria-setsize={total}
      className="media-card"
      data-selected={selection?.has(id) ?? false}
    >
      {selection && (
        <Checkbox
          className="media-card-select"
          aria-label={t('table.select_row', { name })}
          checked={selection.has(id)}
          onChange={(event) => selection.set([id], event.currentTarget.checked)}
        />
      )}
      <BlurredMedia
        serverName={media.origin}
        mediaId={media.media_id}
        width={width}
        height={height}
        alt={name}
        known={media}
        revealed={revealed}
      />
      <span className="media-card-line" title={name}>
        <MediaLink serverName={media.origin} mediaId={media.media_id}>
          <bdi>{name}</bdi>
        </MediaLink>
      </span>
      <span className="media-card-line" title={media.user_id ?? media.origin}>
        {media.user_id === null ? <bdi>{media.origin}</bdi> : <UserLink id={media.user_id} />}
      </span>
      <span className="media-card-line" data-small>
        {format.bytes(media.media_length)}
      </span>
      <span className="media-card-line" data-small>
        <Time ms={media.created_ts} />
      </span>
      <MediaBadges media={media} />
    </div>
  );
}
