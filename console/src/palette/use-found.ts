import { useDebouncedValue } from '@mantine/hooks';
import type { ListReportsResponse, RoomListEntry, UserListEntry } from '@steward/sdk';
import { ClipboardList, DoorOpen, Flag, Image, type LucideIcon, User } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../api/use-can.ts';
import { useRead } from '../api/use-read.ts';
import type { Operation } from '../client/operation.ts';
import { recent, type Thing, type ThingKind } from '../session/recent.ts';
import { useMe } from '../session/use-session.ts';
import { cleanText } from '../ui/input/clean-text.ts';
import type { Entry, EntryGroup } from './entry.ts';
import { namedThing } from './named-thing.ts';
import type { PageEntry } from './page-entry.ts';

const TYPING_MS = 150;
const LIMIT = 5;

const ICONS: Readonly<Record<ThingKind, LucideIcon>> = {
  user: User,
  room: DoorOpen,
  report: Flag,
  medium: Image,
  task: ClipboardList,
};

/** What the page of a thing reads. */
const READ_BY: Readonly<Record<ThingKind, Operation>> = {
  user: 'users.get',
  room: 'rooms.get',
  report: 'reports.get',
  medium: 'media.get',
  task: 'tasks.get',
};

/** What is found for a text, and how far the search is. */
export interface Found {
  readonly groups: readonly EntryGroup[];
  readonly searching: boolean;
  readonly error: Error | null;
}

/**
 * Finds what a text names. Users, rooms and reports are looked for in lists: asking for one that may not exist would be
 * refused, which the browser reports as an error. What was found for the text before is narrowed until the answers are there.
 */
export function useFound(typed: string, pages: readonly PageEntry[]): Found {
  const { t } = useTranslation();
  const can = useCan();
  const text = cleanText(typed);
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const named = namedThing(text);
  const direct = named !== undefined && can(READ_BY[named.kind]) ? named : undefined;
  const queries = useQueries(settled);
  const searching = text !== '' && (text !== settled || queries.some(isUnanswered));
  const [users, rooms, reports] = queries;
  const lastOpened = useLastOpened(text);
  const groups = useMemo(() => {
    const narrowed = searching ? narrow(text) : () => true;
    const isOther = ({ target }: Entry) => !('thing' in target) || target.thing.id !== direct?.id;
    const found = (entries: readonly Entry[]) =>
      text === '' ? [] : entries.filter((entry) => isOther(entry) && narrowed(entry));
    const userEntries = (users.data?.users ?? []).map(userEntry);
    const roomEntries = (rooms.data?.rooms ?? []).map(roomEntry);
    const known = [...userEntries, ...roomEntries].find((entry) => !isOther(entry));
    const pageEntries = pages.map((page) => pageEntry(page, t(`nav.${page.key}`)));
    return [
      {
        label: t('palette.direct'),
        entries: direct === undefined ? [] : [directEntry(direct, t(`palette.open_${direct.kind}`), known)],
      },
      {
        label: t('palette.recent'),
        entries: lastOpened.map((thing) =>
          thingEntry('recent', thing, thing.id, t(`palette.kind_${thing.kind}`)),
        ),
      },
      { label: t('palette.pages'), entries: pageEntries.filter(narrow(text)) },
      { label: t('palette.users'), entries: found(userEntries) },
      { label: t('palette.rooms'), entries: found(roomEntries) },
      { label: t('palette.reports'), entries: text === settled ? found(reportEntries(reports.data)) : [] },
    ].filter(({ entries }) => entries.length > 0);
  }, [t, text, settled, searching, direct, lastOpened, pages, users.data, rooms.data, reports.data]);
  return { groups, searching, error: queries.find(({ error }) => error !== null)?.error ?? null };
}

/** Not while what is shown is only read again. */
function isUnanswered(query: { readonly isLoading: boolean; readonly isPlaceholderData: boolean }): boolean {
  return query.isLoading || query.isPlaceholderData;
}

/** The searches for a text, which the next text ends. */
function useQueries(text: string) {
  const named = namedThing(text);
  const isId = /^(?:case-|mxc:)/.test(text);
  const by = text.startsWith('@') ? { user_id: text } : { name: text };
  const about = named?.kind === 'user' ? { user: text } : { room_id: text };
  const isUser = !/^[!#]/.test(text) && !isId;
  const isRoom = !text.startsWith('@') && !isId;
  const isSubject = named?.kind === 'user' || named?.kind === 'room';
  const users = useRead(
    'users.list',
    { ...by, locked: true, deactivated: true, limit: LIMIT },
    { enabled: text !== '' && isUser, keepFormer: text !== '' && isUser },
  );
  const rooms = useRead(
    'rooms.list',
    { search_term: text, limit: LIMIT },
    { enabled: text !== '' && isRoom, keepFormer: text !== '' && isRoom },
  );
  const reports = useRead(
    'reports.list',
    { group: 'subject', ...about, limit: LIMIT },
    { enabled: isSubject },
  );
  return [users, rooms, reports] as const;
}

function useLastOpened(text: string): readonly Thing[] {
  const { user_id: user } = useMe();
  const can = useCan();
  return useMemo(
    () => (text === '' ? recent.of(user).filter(({ kind }) => can(READ_BY[kind])) : []),
    [text, user, can],
  );
}

function narrow(text: string): (entry: Entry) => boolean {
  const wanted = text.toLocaleLowerCase();
  return ({ label, description = '' }) =>
    [label, description].some((each) => each.toLocaleLowerCase().includes(wanted));
}

function pageEntry(page: PageEntry, label: string): Entry {
  return { key: `page ${page.key}`, icon: page.icon, label, target: { page } };
}

function thingEntry(group: string, thing: Thing, label: string, description?: string): Entry {
  const { kind, id } = thing;
  return { key: `${group} ${kind} ${id}`, icon: ICONS[kind], label, description, target: { thing } };
}

function directEntry(thing: Thing, label: string, known: Entry | undefined): Entry {
  const name = known === undefined || known.label === thing.id ? undefined : known.label;
  return { ...thingEntry('direct', thing, label, thing.id), name };
}

function userEntry({ name: id, displayname }: UserListEntry): Entry {
  return thingEntry('found', { kind: 'user', id }, displayname || id, displayname ? id : undefined);
}

function roomEntry({ room_id: id, name, canonical_alias: alias }: RoomListEntry): Entry {
  const label = name || alias || id;
  const description = name && alias ? alias : id;
  return thingEntry('found', { kind: 'room', id }, label, label === id ? undefined : description);
}

function reportEntries(answer: ListReportsResponse | undefined): readonly Entry[] {
  return (answer?.cases ?? []).map((found) => {
    const { case_id: id, user_id: user, room_id: room, event_id: event, media_uri: medium } = found;
    return thingEntry('found', { kind: 'report', id }, event ?? medium ?? user ?? room ?? id, id);
  });
}
