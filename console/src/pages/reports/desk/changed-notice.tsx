import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { Users } from 'lucide-react';
import { Trans, useTranslation } from 'react-i18next';
import { Time } from '../../../ui/time.tsx';
import { type Difference, differencesBetween, type Standing } from './case-changes.ts';
import { SEVERITIES, STATES } from './report-filters.ts';

interface ChangedNoticeProps {
  readonly before: Standing;
  readonly after: Standing;
  /** The words of the button that takes note of it. */
  readonly seen: string;
  readonly onSeen: () => void;
}

/** Says that another moderator changed a case, and what. */
export function ChangedNotice({ before, after, seen, onSeen }: ChangedNoticeProps) {
  const { t } = useTranslation('reports');
  return (
    <Alert
      role="status"
      color="orange"
      variant="outline"
      icon={<Users aria-hidden />}
      title={
        <>
          <Trans
            t={t}
            i18nKey="change_by"
            values={{ user: after.changed_by ?? t('by_server') }}
            components={{ user: <bdi /> }}
          />{' '}
          <Text span size="sm" fw={400}>
            (<Time ms={after.changed_ts} />)
          </Text>
        </>
      }
    >
      <Stack gap="xs" align="flex-start">
        <List size="sm">
          {differencesBetween(before, after).map((difference) => (
            <List.Item key={difference.field} style={{ overflowWrap: 'anywhere' }}>
              <DifferenceWords {...difference} />
            </List.Item>
          ))}
        </List>
        <Button size="compact-sm" variant="default" onClick={onSeen}>
          {seen}
        </Button>
      </Stack>
    </Alert>
  );
}

/** A change of a field, in words. */
export function DifferenceWords({ field, from, to }: Difference) {
  const { t } = useTranslation('reports');
  const wordsOf = (value: string | null) => {
    if (value === null) return t(field === 'assignee' ? 'assignee_none' : 'severity_none');
    const state = STATES.find((each) => each === value);
    const severity = SEVERITIES.find((each) => each === value);
    if (field === 'state' && state !== undefined) return t(`state_${state}`);
    return field === 'severity' && severity !== undefined ? t(`severity_${severity}`) : value;
  };
  if (field === 'notes') return t('notes_added', { count: Number(to) });
  return (
    <Trans
      t={t}
      i18nKey={`change_${field}`}
      values={{ from: wordsOf(from), to: wordsOf(to) }}
      components={{ value: <bdi /> }}
    />
  );
}
