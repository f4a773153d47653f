import { Text, Timeline } from '@mantine/core';
import { ArrowRight, StickyNote } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { UserLink } from '../../../ui/links.tsx';
import { Note } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Case } from '../desk/case-orders.ts';
import { DifferenceWords } from '../desk/changed-notice.tsx';
import { Section } from '../desk/section.tsx';

interface Entry {
  readonly key: string;
  readonly ts: number;
  readonly by: string | null;
  readonly isNote: boolean;
  readonly what: ReactNode;
  readonly words: string | null;
}

const FIELDS = ['state', 'assignee', 'severity'] as const;

/** What moderators did with a case, and noted about it, oldest first. */
export function CaseHistory({ current, actions }: { readonly current: Case; readonly actions?: ReactNode }) {
  const { t } = useTranslation('reports');
  const changes = current.history.map(({ by, ts, field, from, to, reason }, index): Entry => {
    const known = FIELDS.find((each) => each === field);
    return {
      key: `change-${index}`,
      ...{ ts, by, isNote: false, words: reason },
      what:
        known === undefined ? (
          `${field}: ${from ?? '–'} → ${to ?? '–'}`
        ) : (
          <DifferenceWords field={known} from={from} to={to} />
        ),
    };
  });
  const notes = current.notes.map(
    ({ id, author, ts, text }): Entry => ({
      key: `note-${id}`,
      ...{ ts, by: author, isNote: true, what: t('noted'), words: text },
    }),
  );
  const entries = [...changes, ...notes].sort((a, b) => a.ts - b.ts);
  return (
    <Section title={t('history')} actions={actions}>
      {entries.length === 0 ? (
        <Note>{t('history_none')}</Note>
      ) : (
        <Timeline bulletSize={22} lineWidth={2} active={entries.length}>
          {entries.map(({ key, ts, by, isNote, what, words }) => (
            <Timeline.Item
              key={key}
              bullet={isNote ? <StickyNote size={12} aria-hidden /> : <ArrowRight size={12} aria-hidden />}
              title={
                <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {what}
                </Text>
              }
            >
              {words !== null && (
                <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  <bdi>{words}</bdi>
                </Text>
              )}
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {by === null ? t('by_server') : <ByWhom id={by} />} · <Time ms={ts} />
              </Text>
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Section>
  );
}

/** Automation tokens and clients of services act as well; they have no page of a user. */
export function ByWhom({ id }: { readonly id: string }) {
  return id.startsWith('@') ? <UserLink id={id} /> : <bdi>{id}</bdi>;
}
