import type { ActivityEntry } from '@steward/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import { IdLink, ReportLink, RoomLink, UserLink } from '../../../ui/links.tsx';
import { usePhrase } from '../../../ui/use-phrase.ts';

interface ActivityDetailsProps {
  readonly entry: ActivityEntry;
  /** Whose activity it is. */
  readonly userId: string;
}

/** What an entry of the activity says besides its type and its time. */
export function ActivityDetails({ entry, userId }: ActivityDetailsProps) {
  const parts = usePartsOf(entry, userId);
  return (
    <span title={activityText(entry)}>
      {parts
        .filter(([, part]) => part !== undefined)
        .map(([key, part], index) => (
          <span key={key}>
            {index > 0 && ' · '}
            {part}
          </span>
        ))}
    </span>
  );
}

function usePartsOf(entry: ActivityEntry, userId: string): readonly (readonly [string, ReactNode])[] {
  const { t } = useTranslation('users');
  const format = useFormat();
  const phraseOf = usePhrase('events');
  const user = (id: string | undefined) =>
    id === undefined || id === userId ? undefined : <UserLink id={id} />;
  const room = entry.room_id === undefined ? undefined : <RoomLink id={entry.room_id} />;
  const actorOf = (id: string | null | undefined) =>
    id?.startsWith('@') ? <UserLink id={id} /> : (id ?? t('reports.server'));
  switch (entry.type) {
    case 'sign_in':
    case 'address':
      return [
        ['device', entry.device_id],
        ['address', entry.address],
        ['program', entry.user_agent === undefined ? undefined : <bdi>{entry.user_agent}</bdi>],
        ['as', user(entry.acting_as)],
      ];
    case 'membership':
      return [
        ['change', `${entry.previous_membership ?? ''} → ${entry.membership ?? ''}`],
        ['room', room],
        ['sender', user(entry.sender)],
      ];
    case 'media':
      return [
        ['uri', <bdi key="uri">{entry.content_uri}</bdi>],
        ['type', <bdi key="type">{entry.media_type}</bdi>],
        ['size', entry.media_length === undefined ? undefined : format.bytes(entry.media_length)],
        ['quarantined', entry.quarantined_by === undefined ? undefined : t('media.quarantined')],
      ];
    case 'report_made':
    case 'report_received':
      return [
        ['report', entry.report_id === undefined ? undefined : <ReportLink id={entry.report_id} />],
        ['reporter', user(entry.reporter)],
        ['reported', user(entry.reported_user)],
        ['room', room],
      ];
    default:
      return [
        ['actor', actorOf(entry.event?.actor)],
        ['event', entry.event && phraseOf(entry.event.type)],
        ...(entry.event?.targets ?? [])
          .filter((target) => target !== userId)
          .map((target) => [target, <IdLink key={target} id={target} />] as const),
      ];
  }
}

/** What an entry of the activity says, as one text. */
export function activityText(entry: ActivityEntry): string {
  const { type: _type, ts: _ts, event, ...fields } = entry;
  return [...Object.entries(fields).map(([key, value]) => `${key}: ${value}`), event?.type ?? '']
    .filter((part) => part !== '')
    .join(', ');
}
