import { Alert, Group, Stack, Text } from '@mantine/core';
import { StewardError, type User } from '@steward/sdk';
import { useParams } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { useMe } from '../../session/use-session.ts';
import { Avatar } from '../../ui/faces/avatar.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { titleOfUser } from '../../ui/titles.ts';
import { isUserId, serverOf } from '../../ui/user-id.ts';
import { OrdersBar } from './detail/orders-bar.tsx';
import { useAccountOrders } from './detail/use-account-orders.tsx';
import { useAuthority } from './detail/use-authority.ts';
import { useRoomOrders } from './detail/use-room-orders.tsx';
import { UserTabs } from './detail/user-tabs.tsx';
import { UserStates } from './user-states.tsx';

const NOT_FOUND = 404;
const AVATAR_PX = 44;
const ORDER_BUTTONS = 3;

/** One user: of this server, with all that belongs to the account, or of another one. */
export function UserPage() {
  const { userId } = useParams({ from: '/users/$userId' });
  const me = useMe();
  // Asking the server would be refused, which the browser reports as an error.
  if (!isUserId(userId)) return <NoSuchUser userId={userId} />;
  return serverOf(userId) === serverOf(me.user_id) ? (
    <LocalUser key={userId} userId={userId} />
  ) : (
    <RemoteUser key={userId} userId={userId} />
  );
}

interface OfUser {
  readonly userId: string;
}

function NoSuchUser({ userId }: OfUser) {
  const { t } = useTranslation('users');
  return (
    <Page title={t('missing.title')}>
      <Stack align="flex-start">
        <IdText id={userId} />
        <Text>{isUserId(userId) ? t('missing.hint') : t('missing.no_id')}</Text>
        <ButtonLink to="/users" variant="default">
          {t('missing.list')}
        </ButtonLink>
      </Stack>
    </Page>
  );
}

function LocalUser({ userId }: OfUser) {
  const query = useRead('users.get', { user_id: userId });
  if (query.error instanceof StewardError && query.error.status === NOT_FOUND)
    return <NoSuchUser userId={userId} />;
  if (query.data !== undefined) return <Account user={query.data} />;
  return (
    <Page title={userId}>
      <QueryState query={query} operation="users.get">
        {() => null}
      </QueryState>
    </Page>
  );
}

function Account({ user }: { readonly user: User }) {
  const { t } = useTranslation('users');
  const name = titleOfUser(user.name, user);
  const { missing, permitted } = useAuthority(user.name);
  const groups = useAccountOrders(user);
  return (
    <Page title={name} actions={<OrdersBar groups={groups} buttons={ORDER_BUTTONS} permitted={permitted} />}>
      <Group gap="sm" mb="md" wrap="nowrap" align="center">
        <Avatar uri={user.avatar_url} name={name.replace(/^@/, '')} size={AVATAR_PX} />
        <Stack gap={4} miw={0}>
          <IdText id={user.name} />
          <UserStates user={user} wrap />
        </Stack>
      </Group>
      {!permitted && (
        <Alert
          color="orange"
          variant="outline"
          icon={<ShieldAlert aria-hidden />}
          title={t('authority.title')}
          mb="md"
        >
          {missing.length === 0
            ? t('authority.of_administrator')
            : t('authority.hint', { scopes: missing.join(', ') })}
        </Alert>
      )}
      <UserTabs userId={user.name} user={user} />
    </Page>
  );
}

function RemoteUser({ userId }: OfUser) {
  const { t } = useTranslation('users');
  const orders = useRoomOrders(userId, false);
  return (
    <Page title={userId} actions={<OrdersBar groups={[orders]} buttons={0} permitted />}>
      <Alert color="blue" variant="outline" mb="md" title={t('remote.title', { server: serverOf(userId) })}>
        {t('remote.hint')}
      </Alert>
      <UserTabs userId={userId} user={undefined} />
    </Page>
  );
}
