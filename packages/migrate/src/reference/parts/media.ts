import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Carried, Part } from '../../part.ts';
import type { Row } from '../source/database.ts';
import { flag, text, textOrNull, whole, wholeOrNull } from '../source/row.ts';
import { type Context, rowsPart } from './context.ts';

/** Media with their files, and what was quarantined in which order. */
export function mediaParts(context: Context): readonly Part[] {
  const { database, serverName } = context;
  const by = (...columns: string[]) =>
    `ORDER BY ${columns.map((column) => database.inOrder(column)).join(', ')}`;
  let changes = 0;
  const quarantineChanges = rowsPart(context, {
    kind: 'quarantine_changes',
    table: 'quarantined_media_changes',
    query: '* FROM quarantined_media_changes ORDER BY stream_id',
    keyOf: (row) => `stream_id ${row.stream_id}`,
    read: (row) => ({
      record: {
        number: String(++changes).padStart(16, '0'),
        origin: textOrNull(row, 'origin') ?? serverName,
        media_id: text(row, 'media_id'),
        quarantined: flag(row, 'quarantined'),
      },
    }),
  });
  return [
    rowsPart(context, {
      kind: 'media',
      table: 'local_media_repository',
      counted: 'local_media_repository WHERE url_cache IS NULL AND media_length IS NOT NULL',
      query: `* FROM local_media_repository WHERE url_cache IS NULL AND media_length IS NOT NULL ${by('media_id')}`,
      keyOf: (row) => String(row.media_id),
      read: (row) =>
        medium(context, row, ['local_content', ...folded(text(row, 'media_id'))], {
          user_id: text(row, 'user_id'),
          safe_from_quarantine: flag(row, 'safe_from_quarantine'),
        }),
    }),
    rowsPart(context, {
      kind: 'media',
      table: 'remote_media_cache',
      query: `* FROM remote_media_cache ${by('media_origin', 'media_id')}`,
      keyOf: (row) => `${row.media_origin}/${row.media_id}`,
      read: (row) =>
        medium(
          context,
          row,
          ['remote_content', text(row, 'media_origin'), ...folded(text(row, 'filesystem_id'))],
          { origin: text(row, 'media_origin') },
        ),
    }),
    {
      ...quarantineChanges,
      read() {
        changes = 0;
        return quarantineChanges.read();
      },
    },
  ];
}

/** The folders and the file of an id. */
function folded(id: string): readonly string[] {
  return [id.slice(0, 2), id.slice(2, 4), id.slice(4)];
}

function medium(
  { mediaFolder }: Context,
  row: Row,
  path: readonly string[],
  more: Readonly<Record<string, unknown>>,
): Omit<Carried, 'key'> {
  const mediaId = text(row, 'media_id');
  const length = whole(row, 'media_length');
  const safe = path.every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('/'));
  const file = join(...path);
  const problem = safe ? problemOfFile(join(mediaFolder, file), length) : 'has no valid name';
  const losses = problem === undefined ? [] : [`its file ${file} ${problem}: it is listed and not served`];
  return {
    losses,
    minor: ['last_access_ts'],
    record: {
      media_id: mediaId,
      ...more,
      media_type: textOrNull(row, 'media_type'),
      media_length: length,
      upload_name: textOrNull(row, 'upload_name'),
      created_ts: whole(row, 'created_ts'),
      last_access_ts: wholeOrNull(row, 'last_access_ts'),
      quarantined_by: textOrNull(row, 'quarantined_by'),
      authenticated: flag(row, 'authenticated'),
      sha256: textOrNull(row, 'sha256'),
      ...(losses.length === 0 ? { file } : {}),
    },
  };
}

/** What is wrong with a file of so many bytes; undefined for nothing. */
function problemOfFile(path: string, length: number): string | undefined {
  try {
    const found = statSync(path);
    if (!found.isFile()) return 'is not a file';
    if (found.size !== length) return `has ${found.size} bytes, and not ${length}`;
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'is missing' : `cannot be read (${code})`;
  }
}
