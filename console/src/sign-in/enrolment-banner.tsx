import { Alert, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/use-format.ts';
import { enrolmentDueOf } from '../session/enrolment-due.ts';
import { session } from '../session/session.ts';
import { useMe } from '../session/use-session.ts';
import { TextLink } from '../ui/link.tsx';

/** The shortest pause before it is read again whether the time is over: the clocks of browser and server may differ. */
const SHORTEST_MS = 60_000;
/** The longest one that browsers count. */
const LONGEST_MS = 2 ** 31 - 1;

/** Says until when the account must have a second factor, which it lacks, and finds out when the time is over. */
export function EnrolmentBanner() {
  const { t } = useTranslation('session');
  const format = useFormat();
  const me = useMe();
  const due = enrolmentDueOf(me);
  useEffect(() => {
    if (due === undefined) return undefined;
    const pauseMs = Math.min(Math.max(due - Date.now(), SHORTEST_MS), LONGEST_MS);
    const timer = setInterval(() => void session.refresh().catch(session.expire), pauseMs);
    return () => clearInterval(timer);
  }, [due]);
  if (due === undefined) return null;
  return (
    <Alert role="status" variant="outline" color="orange" title={t('enrol_due_title')} mb="md">
      <Text size="sm">
        {t('enrol_due', { time: format.dateTime(due) })} <TextLink to="/me">{t('enrol')}</TextLink>
      </Text>
    </Alert>
  );
}
