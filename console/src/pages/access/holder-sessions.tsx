import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { Note, QueryState } from '../../ui/query-state.tsx';
import { SessionTable } from '../../ui/session-table.tsx';
import { useMayGive } from './use-may-give.ts';

interface HolderSessionsProps {
  readonly userId: string;
  /** Whether the user may end sessions of others at all. */
  readonly endable: boolean;
}

/** The administrator sessions of an account. */
export function HolderSessions({ userId, endable }: HolderSessionsProps) {
  const { t } = useTranslation('access');
  const mayGive = useMayGive();
  const query = useRead('users.listSessions', { user_id: userId });
  // Ending them needs all scopes of the account.
  const rights = useRead('users.getRoles', { user_id: userId });
  const permitted = endable && rights.data !== undefined && mayGive(rights.data.scopes);
  return (
    <QueryState query={query} operation="users.listSessions">
      {({ sessions }) =>
        sessions.length === 0 ? (
          <Note>{t('no_sessions')}</Note>
        ) : (
          <SessionTable
            sessions={sessions}
            order={(session) =>
              permitted && (
                <OrderButton
                  operation="users.endSession"
                  title={t('end_session')}
                  text={t('end')}
                  consequences={[t('end_session_effect')]}
                  params={{ user_id: userId, session_id: session.id }}
                  danger
                  button={{ size: 'compact-xs' }}
                />
              )
            }
          />
        )
      }
    </QueryState>
  );
}
