import type { ReportCaseSummary } from '@steward/sdk';
import { File, Hash, MessageSquareText, UserRound } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** What was reported, by its ids. */
export type Subject = Pick<ReportCaseSummary, 'kind' | 'user_id' | 'room_id' | 'event_id' | 'media_uri'>;

const ICONS = { event: MessageSquareText, user: UserRound, room: Hash, media: File } as const;

/** An icon for what was reported. */
export function SubjectIcon({ kind, size = 16 }: { readonly kind: string; readonly size?: number }) {
  const Icon = ICONS[kind as keyof typeof ICONS] ?? File;
  return <Icon size={size} aria-hidden style={{ flex: 'none' }} />;
}

/** Returns what was reported, in words. */
export function useSubjectTitle(): (subject: Subject) => string {
  const { t } = useTranslation('reports');
  return useCallback(
    ({ kind, user_id: user, room_id: room, media_uri: medium }) => {
      switch (kind) {
        case 'event':
          return t('subject_event', { user: isolate(user ?? t('unknown_user')) });
        case 'user':
          return t('subject_user', { user: isolate(user ?? '') });
        case 'room':
          return t('subject_room', { room: isolate(room ?? '') });
        case 'media':
          return t('subject_media', { medium: isolate(medium ?? '') });
        default:
          return kind;
      }
    },
    [t],
  );
}

/** Keeps the direction of an id to itself (U+2068, U+2069), where a text has no elements. */
function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
