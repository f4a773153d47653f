import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Answer } from '../../../ui/answer.tsx';
import { Note, QueryState } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import { PlainTable } from './plain-table.tsx';
import { Section } from './section.tsx';

/** Whether the push gateways of an account accept what the server sends. */
export function PushStates({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const query = useRead('users.listPushStates', { user_id: userId });
  return (
    <Section title={t('pushers.deliveries')}>
      <QueryState query={query} operation="users.listPushStates">
        {({ push_states: states }) =>
          states.length === 0 ? (
            <Note>{t('pushers.no_deliveries')}</Note>
          ) : (
            <PlainTable
              label={t('pushers.deliveries')}
              minWidth={860}
              head={[
                t('pushers.app_id'),
                t('pushers.key'),
                t('pushers.last_success'),
                t('pushers.last_failure'),
                t('pushers.failure'),
                t('pushers.failing_since'),
                t('pushers.next_attempt'),
                t('pushers.waiting_rooms'),
              ]}
              rows={states.map((state) => [
                `${state.app_id} ${state.pushkey}`,
                [
                  <bdi key="app">{state.app_id}</bdi>,
                  <bdi key="key">{state.pushkey}</bdi>,
                  <Time key="success" ms={state.last_success_ts} />,
                  <Time key="failure" ms={state.last_failure_ts} />,
                  state.last_failure && <Answer key="answer" attempt={state.last_failure} withDetail />,
                  state.failing_since_ts && <Time key="failing" ms={state.failing_since_ts} />,
                  state.next_attempt_ts && <Time key="next" ms={state.next_attempt_ts} />,
                  format.number(state.waiting_rooms),
                ],
              ])}
            />
          )
        }
      </QueryState>
    </Section>
  );
}
