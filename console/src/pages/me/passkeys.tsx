import { Button, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import type { Passkey } from '@steward/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { canUsePasskeys, createPasskey } from '../../session/passkeys.ts';
import { session } from '../../session/session.ts';
import { ErrorNotice } from '../../ui/errors/error-notice.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';

/** The passkeys of the account: adding, naming and removing them. */
export function Passkeys() {
  const { t } = useTranslation('session');
  const query = useRead('passkeys.list', {});
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('passkeys')}
      </Title>
      <Text size="sm">{t('passkeys_hint')}</Text>
      <QueryState query={query} operation="passkeys.list">
        {({ passkeys }) => (passkeys.length === 0 ? null : <PasskeyTable passkeys={passkeys} />)}
      </QueryState>
      {canUsePasskeys() && <AddPasskey />}
    </Stack>
  );
}

function PasskeyTable({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const { t } = useTranslation('session');
  const format = useFormat();
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('passkey_name')}</Table.Th>
            <Table.Th>{t('passkey_created')}</Table.Th>
            <Table.Th>{t('last_used')}</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {passkeys.map((passkey) => (
            <Table.Tr key={passkey.id}>
              <Table.Td>{passkey.name}</Table.Td>
              <Table.Td>{format.dateTime(passkey.created_ts)}</Table.Td>
              <Table.Td>
                {passkey.last_used_ts === null ? '–' : format.dateTime(passkey.last_used_ts)}
              </Table.Td>
              <Table.Td>
                <Group gap="xs" wrap="nowrap" justify="flex-end">
                  <Rename passkey={passkey} />
                  <OrderButton
                    operation="passkeys.remove"
                    title={t('passkey_remove_title')}
                    text={t('remove')}
                    consequences={[t('passkey_remove_effect', { name: passkey.name })]}
                    params={{ passkey_id: passkey.id }}
                    danger
                    button={{ size: 'compact-xs' }}
                  />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Rename({ passkey: { id, name: before } }: { readonly passkey: Passkey }) {
  const { t } = useTranslation('session');
  const [name, setName] = useState(before);
  return (
    <OrderButton
      operation="passkeys.rename"
      title={t('passkey_rename')}
      consequences={[]}
      params={name.trim() === '' ? undefined : { passkey_id: id, name }}
      onClosed={() => setName(before)}
      button={{ size: 'compact-xs' }}
    >
      <TextInput
        label={t('passkey_name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={128}
        required
        data-autofocus
      />
    </OrderButton>
  );
}

/** Asks for a name, and then the browser for a new passkey. */
function AddPasskey() {
  const { t } = useTranslation('session');
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();

  async function add() {
    setPending(true);
    setError(undefined);
    try {
      const created = await createPasskey(await call('passkeys.begin', {}));
      await call('passkeys.add', { name, ...created });
      setName('');
      await session.refresh();
      await queries.invalidateQueries();
    } catch (refusal) {
      // The user has closed the question of the browser.
      if (!(refusal instanceof DOMException)) setError(refusal);
    } finally {
      setPending(false);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Stack gap="xs" align="flex-start">
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('passkey_new_name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={128}
            required
          />
          <Button type="submit" loading={pending} disabled={name.trim() === ''}>
            {t('passkey_add')}
          </Button>
        </Group>
        {error !== undefined && <ErrorNotice error={error} />}
      </Stack>
    </form>
  );
}
