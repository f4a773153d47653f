import { Button, Group, Menu } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserOrder } from './user-order.ts';

interface OrdersBarProps {
  /** The orders in their groups; an order that the reader may not give is not among them. */
  readonly groups: readonly (readonly UserOrder[])[];
  /** How many of the first group have a button of their own on wide screens. */
  readonly buttons: number;
  /** Whether the reader has all scopes of the account. */
  readonly permitted: boolean;
}

/** The orders about a user: the most usual ones as buttons, all in a menu. */
export function OrdersBar({ groups, buttons, permitted }: OrdersBarProps) {
  const { t } = useTranslation('users');
  const [key, setKey] = useState<string>();
  const all = groups.flat();
  const order = all.find((each) => each.key === key);
  const filled = groups.filter((group) => group.length > 0);
  const isOff = ({ changesAccount }: UserOrder) => changesAccount && !permitted;
  if (all.length === 0) return null;
  return (
    <>
      <Group gap="xs" visibleFrom="md">
        {(groups[0] ?? []).slice(0, buttons).map((each) => (
          <Button
            key={each.key}
            size="xs"
            variant="default"
            disabled={isOff(each)}
            onClick={() => setKey(each.key)}
          >
            {each.text}
          </Button>
        ))}
      </Group>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<ChevronDown size={14} aria-hidden />}>
            {t('all_orders')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={SCROLLS}>
          {filled.map((group, index) => [
            ...(index === 0 ? [] : [<Menu.Divider key={`before-${group[0]?.key}`} />]),
            ...group.map((each) => (
              <Menu.Item
                key={each.key}
                color={each.danger ? 'var(--mantine-color-error)' : undefined}
                disabled={isOff(each)}
                onClick={() => setKey(each.key)}
              >
                {each.text}
              </Menu.Item>
            )),
          ])}
        </Menu.Dropdown>
      </Menu>
      {order?.dialog(() => setKey(undefined))}
    </>
  );
}

const SCROLLS = { overflowY: 'auto' } as const;
