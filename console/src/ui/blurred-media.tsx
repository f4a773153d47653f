import './blurred-media.css';
import { Loader, Tooltip, UnstyledButton } from '@mantine/core';
import { StewardError } from '@steward/sdk';
import { Eye, ShieldAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../api/use-can.ts';
import { useRead } from '../api/use-read.ts';
import { useThumbnail } from '../api/use-thumbnail.ts';
import { MediaIcon } from './media-icon.tsx';
import { useObjectUrl } from './use-object-url.ts';

/** What decides whether there is a thumbnail of a medium. Media in lists of the API have these fields. */
export interface KnownMedium {
  readonly media_type: string;
  readonly media_length: number;
  readonly quarantined_by: string | null;
}

interface BlurredMediaProps {
  readonly serverName: string;
  readonly mediaId: string;
  /** The size in pixels. */
  readonly width: number;
  readonly height: number;
  /** What the medium is called, such as its file name. */
  readonly alt: string;
  /** What is known of the medium; looked up before the thumbnail is loaded when unset. */
  readonly known?: KnownMedium | undefined;
  /** Whether it is shown without being asked for, unless it is in quarantine. */
  readonly revealed?: boolean | undefined;
}

/** The types of which the server makes thumbnails. */
const THUMBNAIL_TYPES = new Set([
  'image/apng',
  'image/gif',
  'image/jpeg',
  'image/jpg',
  'image/png',
  'image/webp',
]);
const MAX_SOURCE_BYTES = 64 * 1024 * 1024;
const NOT_FOUND = 404;
/** The server crops the smallest thumbnails, in pixels. */
const CROPPED_PX = 96;
/** Above this height there is room for words, in pixels. */
const WORDS_PX = 90;

/**
 * A medium that is shown only when its viewer asks for it, with a button that hides it again. Nothing is loaded before. What has no
 * thumbnail is an icon. A medium in quarantine is shown only to users with the scope for content, and each look is
 * recorded.
 */
export function BlurredMedia(props: BlurredMediaProps) {
  // Rows of tables are used again for other media, which were not asked for.
  return <OneMedium key={`${props.serverName}/${props.mediaId}`} {...props} />;
}

function OneMedium(props: BlurredMediaProps) {
  const { serverName, mediaId, width, height, alt, known, revealed: byDefault = false } = props;
  const { t } = useTranslation();
  const can = useCan();
  const [asked, setAsked] = useState<boolean>();
  const [askedQuarantined, setAskedQuarantined] = useState(false);
  // The setting of the page is newer than what was asked for before.
  useEffect(() => setAsked(undefined), [byDefault]);
  const unlessQuarantined = asked ?? byDefault;
  const lookedUp = useRead(
    'media.get',
    { server_name: serverName, media_id: mediaId },
    { enabled: unlessQuarantined && known === undefined },
  );
  const medium: KnownMedium | undefined = known ?? lookedUp.data?.media_info;
  const quarantined = medium !== undefined && medium.quarantined_by !== null;
  const revealed = quarantined ? askedQuarantined : unlessQuarantined;
  const box = { width, height };
  const withheld = medium === undefined ? undefined : whyWithheld(medium);
  const words = withheld === undefined ? undefined : t(`preview.${withheld}`);

  if (!can('media.getThumbnail') || withheld !== undefined) {
    const label = words === undefined ? alt : `${alt}: ${words}`;
    return (
      <Tooltip label={words ?? alt}>
        <span className="blurred-media" style={box} role="img" aria-label={label}>
          <Words
            icon={withheld === 'quarantined' ? <ShieldAlert size={iconPx(height)} aria-hidden /> : undefined}
            medium={medium}
            height={height}
          >
            {words}
          </Words>
        </span>
      </Tooltip>
    );
  }
  const label = t(quarantined ? 'preview.in_quarantine' : 'preview.hidden');
  return (
    <span className="blurred-media" style={box} data-hidden={!revealed}>
      {!revealed && (
        <Words
          icon={
            quarantined ? (
              <ShieldAlert size={iconPx(height)} aria-hidden />
            ) : (
              <Eye size={iconPx(height)} aria-hidden />
            )
          }
          medium={medium}
          height={height}
        >
          <span aria-hidden>{label}</span>
        </Words>
      )}
      {revealed && medium === undefined && <Loading error={lookedUp.error} height={height} />}
      {revealed && medium !== undefined && <Thumbnail {...props} medium={medium} />}
      <UnstyledButton
        className="blurred-media-toggle"
        aria-pressed={revealed}
        aria-label={`${label}: ${alt}`}
        title={quarantined ? t('preview.recorded') : alt}
        onClick={() => (quarantined ? setAskedQuarantined : setAsked)(!revealed)}
      />
    </span>
  );

  function whyWithheld({ media_type, media_length, quarantined_by }: KnownMedium) {
    const type = media_type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (quarantined_by !== null && !can('media.getThumbnail', 'rooms:content')) return 'quarantined';
    return !THUMBNAIL_TYPES.has(type) || media_length > MAX_SOURCE_BYTES ? 'none' : undefined;
  }
}

function Thumbnail(props: BlurredMediaProps & { readonly medium: KnownMedium }) {
  const { serverName, mediaId, width, height, alt, medium } = props;
  const query = useThumbnail(
    {
      server_name: serverName,
      media_id: mediaId,
      width,
      height,
      method: Math.max(width, height) <= CROPPED_PX ? 'crop' : 'scale',
      ...(medium.quarantined_by === null ? {} : { allow_quarantined: true }),
    },
    true,
  );
  const url = useObjectUrl(query.data);
  if (url === undefined) return <Loading error={query.error} height={height} />;
  return <img src={url} alt={alt} />;
}

function Loading({ error, height }: { readonly error: Error | null; readonly height: number }) {
  const { t } = useTranslation();
  if (error === null) return <Loader size="sm" aria-label={t('state.loading')} />;
  const isNone = error instanceof StewardError && error.status === NOT_FOUND;
  const words = isNone ? t('preview.none') : t('preview.failed');
  return (
    <Words medium={undefined} height={height}>
      <span role="status">{words}</span>
    </Words>
  );
}

interface WordsProps {
  readonly icon?: ReactNode;
  readonly medium: KnownMedium | undefined;
  readonly height: number;
  readonly children: ReactNode;
}

function Words({ icon, medium, height, children }: WordsProps) {
  return (
    <span className="blurred-media-words">
      {icon ?? <MediaIcon type={medium?.media_type} size={iconPx(height)} />}
      {height >= WORDS_PX && <span>{children}</span>}
    </span>
  );
}

function iconPx(height: number): number {
  return Math.min(Math.max(Math.round(height / 4), 16), 36);
}
