import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import type { Operation } from '../../../client/operation.ts';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';
import type { Room } from '../room/use-room.ts';
import { BlockButton } from './block-button.tsx';
import { NoticeButton } from './notice-button.tsx';
import { PurgeDialog } from './purge-dialog.tsx';
import { UserOrderDialog } from './user-order-dialog.tsx';

const ITEMS = [
  { key: 'invite', operation: 'rooms.inviteUser' },
  { key: 'join', operation: 'rooms.joinUser' },
  { key: 'make_admin', operation: 'rooms.makeAdmin' },
  { key: 'quarantine', operation: 'rooms.quarantineMedia' },
  { key: 'purge', operation: 'rooms.purgeHistory' },
  { key: 'delete_room', operation: 'rooms.beginDeletion' },
] as const satisfies readonly { key: string; operation: Operation }[];

const DANGEROUS: ReadonlySet<Chosen> = new Set(['quarantine', 'purge', 'delete_room']);

type Chosen = (typeof ITEMS)[number]['key'];

/** The orders for a room as a whole. */
export function RoomOrders({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms');
  const can = useCan();
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const [chosen, setChosen] = useState<Chosen>();
  const { room_id: roomId } = room;
  const items = ITEMS.filter(({ operation }) => can(operation));
  const close = () => setChosen(undefined);
  const choose = (key: Chosen) => {
    // The deletion has a place of its own, where its progress shows.
    if (key === 'delete_room') void navigate({ search: { tab: 'deletions' } });
    else setChosen(key);
  };
  return (
    <>
      <BlockButton roomId={roomId} />
      <NoticeButton room={room} />
      {items.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="xs" variant="default" rightSection={<ChevronDown size={14} aria-hidden />}>
              {t('more_orders')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {items.map(({ key }) => (
              <Menu.Item
                key={key}
                color={DANGEROUS.has(key) ? 'var(--mantine-color-error)' : undefined}
                onClick={() => choose(key)}
              >
                {t(key)} …
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <UserOrderDialog
        opened={chosen === 'invite'}
        onClose={close}
        operation="rooms.inviteUser"
        title={t('invite')}
        consequences={[t('invite_effect'), t('sender_effect')]}
        withReason
        paramsOf={(user_id, reason) => ({ room_id: roomId, user_id, ...(reason ? { reason } : {}) })}
      />
      <UserOrderDialog
        opened={chosen === 'join'}
        onClose={close}
        operation="rooms.joinUser"
        title={t('join')}
        consequences={[t('join_effect'), t('join_effect_invited')]}
        paramsOf={(user_id) => ({ room_id_or_alias: roomId, user_id })}
      />
      <UserOrderDialog
        opened={chosen === 'make_admin'}
        onClose={close}
        operation="rooms.makeAdmin"
        title={t('make_admin')}
        consequences={[t('make_admin_effect'), t('make_admin_effect_joins'), t('make_admin_effect_lasting')]}
        paramsOf={(user_id) => ({ room_id_or_alias: roomId, user_id })}
      />
      <OrderDialog
        opened={chosen === 'quarantine'}
        onClose={close}
        operation="rooms.quarantineMedia"
        title={t('quarantine')}
        consequences={[t('quarantine_effect'), t('quarantine_effect_same'), t('quarantine_effect_encrypted')]}
        params={{ room_id: roomId }}
        danger
      />
      <PurgeDialog roomId={roomId} opened={chosen === 'purge'} onClose={close} />
    </>
  );
}
