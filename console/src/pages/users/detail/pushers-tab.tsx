import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { Note, QueryState } from '../../../ui/query-state.tsx';
import { PlainTable } from './plain-table.tsx';
import { PushStates } from './push-states.tsx';
import { Section } from './section.tsx';

/** Where the server sends notifications for an account. */
export function PushersTab({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('users');
  const query = useRead('users.listPushers', { user_id: userId });
  return (
    <QueryState query={query} operation="users.listPushers">
      {({ pushers }) =>
        pushers.length === 0 ? (
          <Note>{t('pushers.none')}</Note>
        ) : (
          <>
            <Section title={t('tab.pushers')}>
              <PlainTable
                label={t('tab.pushers')}
                minWidth={760}
                head={[
                  t('pushers.app'),
                  t('pushers.device'),
                  t('pushers.kind'),
                  t('pushers.url'),
                  t('pushers.key'),
                  t('pushers.language'),
                ]}
                rows={pushers.map((pusher) => [
                  `${pusher.app_id} ${pusher.pushkey}`,
                  [
                    <bdi key="app" title={pusher.app_id}>
                      {pusher.app_display_name}
                    </bdi>,
                    <bdi key="device">{pusher.device_display_name}</bdi>,
                    pusher.kind,
                    <bdi key="url">{urlOf(pusher.data)}</bdi>,
                    <bdi key="key">{pusher.pushkey}</bdi>,
                    pusher.lang,
                  ],
                ])}
              />
            </Section>
            <PushStates userId={userId} />
          </>
        )
      }
    </QueryState>
  );
}

function urlOf(data: unknown): string {
  const { url } = (data ?? {}) as { readonly url?: unknown };
  return typeof url === 'string' ? url : '';
}
