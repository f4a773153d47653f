import type { ReportCaseSummary } from '@steward/sdk';
import { File, Hash, MessageSquareText, UserRound } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { NameOfRoom, NameOfUser } from '../../../ui/names.tsx';

/** What was reported, by its ids. */
export type Subject = Pick<ReportCaseSummary, 'kind' | 'user_id' | 'room_id' | 'event_id' | 'media_uri'>;

const ICONS = { event: MessageSquareText, user: UserRound, room: Hash, media: File } as const;
/** Stands for the id while a message is split at it; no message has it. */
const PLACE = '\0';

/** An icon for what was reported. */
export function SubjectIcon({ kind, size = 16 }: { readonly kind: string; readonly size?: number }) {
  const Icon = ICONS[kind as keyof typeof ICONS] ?? File;
  return <Icon size={size} aria-hidden style={{ flex: 'none' }} />;
}

/** What was reported, in words; users and rooms by their names. */
export function SubjectTitle({ subject }: { readonly subject: Subject }) {
  const [before = '', id, after] = useParts()(subject);
  return (
    <>
      {before}
      {id !== undefined && <Named id={id} />}
      {after}
    </>
  );
}

function Named({ id }: { readonly id: string }) {
  if (id.startsWith('@')) return <NameOfUser id={id} />;
  return id.startsWith('!') ? <NameOfRoom id={id} /> : <bdi>{id}</bdi>;
}

/** Returns what was reported as a text, for places without elements. */
export function useSubjectTitle(): (subject: Subject) => string {
  const partsOf = useParts();
  return useCallback((subject) => partsOf(subject).join(''), [partsOf]);
}

/** The words before the id, the id, and the words after it: an element keeps the direction of the id to itself. */
function useParts(): (subject: Subject) => readonly string[] {
  const { t } = useTranslation('reports');
  return useCallback(
    ({ kind, user_id: user, room_id: room, media_uri: medium }) => {
      const around = (message: string, id: string) => {
        const [before = '', after = ''] = message.split(PLACE);
        return [before, id, after];
      };
      switch (kind) {
        case 'event':
          return around(t('subject_event', { user: PLACE }), user ?? t('unknown_user'));
        case 'user':
          return around(t('subject_user', { user: PLACE }), user ?? '');
        case 'room':
          return around(t('subject_room', { room: PLACE }), room ?? '');
        case 'media':
          return around(t('subject_media', { medium: PLACE }), medium ?? '');
        default:
          return [kind];
      }
    },
    [t],
  );
}
