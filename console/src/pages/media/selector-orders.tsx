import { Button, Menu, Modal, Text } from '@mantine/core';
import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { MEDIA_ORDERS, type MediaOrder } from './media-orders.ts';
import type { Selector } from './media-search.ts';
import { SelectorOrder } from './selector-order.tsx';

interface SelectorOrdersProps {
  /** The filters; undefined while the server would refuse them. */
  readonly selector: Selector | undefined;
}

/** Gives orders for all media that the filters select. Absent if the user may give none. */
export function SelectorOrders({ selector }: SelectorOrdersProps) {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const can = useCan();
  const [given, setGiven] = useState<{ readonly order: MediaOrder; readonly selector: Selector }>();
  const permitted = MEDIA_ORDERS.filter(({ all }) => can(all));
  const usable = selector !== undefined && Object.keys(selector).length > 0;
  if (permitted.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<ListChecks size={16} aria-hidden />}>
            {t('all.menu')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {!usable && (
            <Menu.Label maw={280}>
              <Text size="xs">{t('all.needs_filter')}</Text>
            </Menu.Label>
          )}
          {permitted.map((order) => (
            <Menu.Item
              key={order.key}
              disabled={!usable}
              color={order.key === 'delete' ? 'var(--mantine-color-error)' : undefined}
              onClick={() => selector && setGiven({ order, selector })}
            >
              {t(order.title)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={given !== undefined}
        onClose={() => setGiven(undefined)}
        title={given && t(given.order.title)}
        size="lg"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': common('order.close') }}
      >
        {given && <SelectorOrder {...given} onClose={() => setGiven(undefined)} />}
      </Modal>
    </>
  );
}
