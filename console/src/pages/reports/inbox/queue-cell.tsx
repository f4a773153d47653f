import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import { BlurredMedia } from '../../../ui/blurred-media.tsx';
import type { Search } from '../../../ui/filters/filter.ts';
import { TextLink } from '../../../ui/link.tsx';
import { NameOfUser } from '../../../ui/names.tsx';
import { SubjectIcon, SubjectTitle, useSubjectTitle } from '../desk/subject-title.tsx';
import { parseContentUri } from '../evidence/parse-content-uri.ts';
import type { InboxRow } from './inbox-row.ts';
import { useCaseFacts } from './use-case-facts.ts';

interface QueueCellProps {
  readonly row: InboxRow;
  /** The search of the page, which the link to the case keeps. */
  readonly search: Search;
  /** Whether the row stands for all cases about its user. */
  readonly grouped: boolean;
}

const PICTURE_PX = 52;

/** What a case is about: who, what was said, and why it was reported. */
export function QueueCell({ row, search, grouped }: QueueCellProps) {
  const { t } = useTranslation('reports');
  const format = useFormat();
  const titleOf = useSubjectTitle();
  const { overview, excerpt } = useCaseFacts(row.caseId);
  const picture = parseContentUri(row.media_uri ?? excerpt?.media_uri);
  const cases = overview?.user_cases ?? 0;
  const rooms = overview?.user_rooms ?? 0;
  const many = grouped && cases > 1;
  const reasons = row.report?.reason ? [row.report.reason] : (overview?.reasons ?? []);
  return (
    <div className="queue-cell">
      {picture !== undefined && (
        <BlurredMedia
          serverName={picture.serverName}
          mediaId={picture.mediaId}
          alt={excerpt?.text ?? picture.mediaId}
          width={PICTURE_PX}
          height={PICTURE_PX}
        />
      )}
      <div className="queue-words">
        <div className="queue-line">
          <SubjectIcon kind={row.kind} />
          <TextLink to="/reports" search={{ ...search, case: row.caseId }} truncate title={titleOf(row)}>
            {many && row.user_id !== null ? (
              <>
                {t('group_about', { count: cases, formatted: format.number(cases) })}{' '}
                <NameOfUser id={row.user_id} />{' '}
                {rooms > 0 && t('group_rooms', { count: rooms, formatted: format.number(rooms) })}
              </>
            ) : (
              <SubjectTitle subject={row} />
            )}
          </TextLink>
        </div>
        {excerpt?.text && row.kind !== 'user' && row.kind !== 'room' && (
          <div className="queue-line queue-excerpt">
            <bdi>{excerpt.text}</bdi>
          </div>
        )}
        {reasons.length > 0 && (
          <div className="queue-line queue-reasons">
            {reasons.map((reason) => (
              <bdi key={reason}>{reason}</bdi>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}
