import { Center } from '@mantine/core';
import { useThumbnail } from '../../api/use-thumbnail.ts';
import { useObjectUrl } from '../use-object-url.ts';

interface AvatarProps {
  /** The content URI of the picture; null where there is none. */
  readonly uri: string | null | undefined;
  /** What the letters stand for that are shown without a picture. */
  readonly name: string;
  /** In pixels; 28 when unset. */
  readonly size?: number;
  /** Whether it is the corner of a square, as for rooms, and not a circle, as for people. */
  readonly square?: boolean;
}

const URI = /^mxc:\/\/([^/]+)\/([^/]+)$/;
const WORDS = /[\s._-]+/u;
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The picture of a user or a room, or two letters of their name. A picture in quarantine is not shown. */
export function Avatar({ uri, name, size = 28, square = false }: AvatarProps) {
  const [, serverName = '', mediaId = ''] = URI.exec(uri ?? '') ?? [];
  // Sharp on screens with two pixels for one.
  const side = size * 2;
  const picture = { server_name: serverName, media_id: mediaId, width: side, height: side };
  const { data } = useThumbnail({ ...picture, method: 'crop' }, mediaId !== '');
  const url = useObjectUrl(data);
  return (
    <Center
      aria-hidden
      w={size}
      h={size}
      fz={size * 0.42}
      fw={600}
      c="var(--mantine-color-text)"
      bg="var(--mantine-color-default-hover)"
      bd="1px solid var(--mantine-color-default-border)"
      style={{ ...FRAME, borderRadius: square ? 'var(--mantine-radius-sm)' : '50%' }}
    >
      {url === undefined ? initialsOf(name) : <img src={url} alt="" width="100%" height="100%" />}
    </Center>
  );
}

const FRAME = { flexShrink: 0, overflow: 'hidden', lineHeight: 1 } as const;

function initialsOf(name: string): string {
  return name
    .split(WORDS)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => letters.segment(word)[Symbol.iterator]().next().value?.segment ?? '')
    .join('')
    .toLocaleUpperCase();
}
