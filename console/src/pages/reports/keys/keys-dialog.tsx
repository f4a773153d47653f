import { ActionIcon, Kbd, Modal, Stack, Switch, Table, Text, Tooltip } from '@mantine/core';
import { Keyboard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useKeysEnabled } from './use-keys.ts';

interface KeysDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Whether there is a list to move in. */
  readonly withList: boolean;
  /** Whether the user may change cases. */
  readonly withOrders: boolean;
}

const IN_LIST = [
  [['j', '↓'], 'key_next'],
  [['k', '↑'], 'key_previous'],
  [['Enter', 'o'], 'key_open'],
  [['Esc'], 'key_close'],
  [['/'], 'key_search'],
] as const;
const SELECTING = [
  [['x'], 'key_select'],
  [['Shift', 'x'], 'key_select_range'],
] as const;
const ORDERS = [
  [['a'], 'key_assign'],
  [['u'], 'key_unassign'],
  [['t'], 'key_triage'],
  [['e'], 'key_escalate'],
  [['0', '…', '4'], 'key_severity'],
  [['n'], 'key_note'],
  [['d'], 'key_decide'],
] as const;
const ALWAYS = [[['?'], 'key_help']] as const;

/** Shows what the keys do, and turns them off. */
export function KeysDialog({ opened, onClose, withList, withOrders }: KeysDialogProps) {
  const { t } = useTranslation('reports');
  const { t: common } = useTranslation();
  const [enabled, setEnabled] = useKeysEnabled();
  const rows = [
    ...(withList ? IN_LIST : []),
    ...(withList && withOrders ? SELECTING : []),
    ...(withOrders ? ORDERS : []),
    ...ALWAYS,
  ];
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('keys_title')}
      closeButtonProps={{ 'aria-label': common('order.close') }}
    >
      <Stack>
        <Text size="sm">{t('keys_hint')}</Text>
        <Table>
          <Table.Tbody>
            {rows.map(([keys, does]) => (
              <Table.Tr key={does}>
                <Table.Th scope="row" w={110}>
                  {keys.map((key) => (
                    <Kbd key={key} mr={4}>
                      {key}
                    </Kbd>
                  ))}
                </Table.Th>
                <Table.Td>{t(does)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label={t('keys_enabled')}
          checked={enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  );
}

/** Opens the list of keys. */
export function KeysButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation('reports');
  return (
    <Tooltip label={t('keys_title')}>
      <ActionIcon size={30} variant="default" aria-label={t('keys_title')} onClick={onClick}>
        <Keyboard size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
