import {
  Autocomplete,
  Checkbox,
  Modal,
  MultiSelect,
  SegmentedControl,
  Stack,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { useOrder } from '../../api/use-order.ts';
import { useRead } from '../../api/use-read.ts';
import type { Params } from '../../client/operation.ts';
import { useMe } from '../../session/use-session.ts';
import { cleanText } from '../../ui/input/clean-text.ts';
import { IdInput } from '../../ui/input/id-input.tsx';
import { OrderForm } from '../../ui/order/order-form.tsx';
import { serverOf } from '../../ui/user-id.ts';
import { PasswordField } from './password-field.tsx';
import { type NameCheck, useNameCheck } from './use-name-check.ts';
import { USER_TYPES } from './user-types.ts';

interface CreateUserDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Creates an account, and gives it roles. */
export function CreateUserDialog({ opened, onClose }: CreateUserDialogProps) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('create.title')}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': common('order.close') }}
    >
      {opened && <CreateUser onClose={onClose} />}
    </Modal>
  );
}

/** Whether a check found what is wrong with the name. */
function isViolation(check: NameCheck): check is Exclude<NameCheck, 'free' | 'checking' | 'empty'> {
  return check !== 'free' && check !== 'checking' && check !== 'empty';
}

function CreateUser({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('users');
  const can = useCan();
  const navigate = useNavigate();
  const me = useMe();
  const serverName = serverOf(me.user_id);
  const create = useOrder('users.put');
  const setRoles = useOrder('users.setRoles');
  const roles = useRead('roles.list', {});
  const [localpart, setLocalpart] = useState('');
  const [withPassword, setWithPassword] = useState('password');
  const [password, setPassword] = useState('');
  const [displayname, setDisplayname] = useState('');
  const [type, setType] = useState('');
  const [admin, setAdmin] = useState(false);
  const [locked, setLocked] = useState(false);
  const [chosenRoles, setChosenRoles] = useState<string[]>([]);
  const [sent, setSent] = useState(false);
  const check = useNameCheck(localpart, serverName, !sent);
  const mayGiveRights = can('users.put', 'access:write');
  const maySetPassword = can('users.put', 'users:credentials');
  const usesPassword = maySetPassword && withPassword === 'password';
  const userId = `@${localpart}:${serverName}`;

  const complete = check === 'free' && (!usesPassword || password !== '');
  const params: Params<'users.put'> | undefined = complete
    ? {
        user_id: userId,
        ...(usesPassword ? { password } : {}),
        ...(displayname === '' ? {} : { displayname }),
        ...(type === '' ? {} : { user_type: type }),
        ...(admin ? { admin } : {}),
        ...(locked ? { locked } : {}),
      }
    : undefined;

  const order: typeof create = {
    ...create,
    async send(account, reason) {
      setSent(true);
      try {
        return await create.send(account, reason);
      } catch (error) {
        setSent(false);
        throw error;
      }
    },
  };

  async function giveRoles() {
    if (chosenRoles.length > 0) {
      try {
        await setRoles.send({ user_id: userId, roles: admin ? ['admin', ...chosenRoles] : chosenRoles });
      } catch (error) {
        const message = `${t('create.roles_failed')} ${error instanceof Error ? error.message : ''}`;
        notifications.show({ color: 'red', message, autoClose: false });
      }
    }
    notifications.show({ color: 'green', message: t('create.done', { user: userId }) });
    onClose();
    await navigate({ to: '/users/$userId', params: { userId } });
  }

  const givable = (roles.data?.roles ?? []).filter(
    ({ name, scopes }) => name !== 'admin' && scopes.every((scope) => me.scopes.includes(scope)),
  );
  return (
    <OrderForm
      order={order}
      params={params}
      label={t('create.order')}
      onCancel={onClose}
      onDone={() => void giveRoles()}
      consequences={[
        t(usesPassword ? 'create.effect_password' : 'create.effect_no_password'),
        ...(locked ? [t('create.effect_locked')] : []),
        ...(admin ? [t('create.effect_admin')] : []),
        t('create.effect_for_good'),
      ]}
    >
      <Stack gap="sm">
        <IdInput
          label={t('create.localpart')}
          description={check === 'free' ? t('create.free', { user: userId }) : `@…:${serverName}`}
          error={isViolation(check) ? t(`create.check.${check}`) : undefined}
          value={localpart}
          onValue={setLocalpart}
          required
          data-autofocus
        />
        <TextInput
          label={t('displayname')}
          value={displayname}
          maxLength={256}
          onChange={(event) => setDisplayname(event.currentTarget.value)}
          autoComplete="off"
        />
        {maySetPassword && (
          <SegmentedControl
            aria-label={t('password')}
            value={withPassword}
            onChange={setWithPassword}
            data={[
              { value: 'password', label: t('create.with_password') },
              { value: 'none', label: t('create.without_password') },
            ]}
          />
        )}
        {usesPassword && (
          <PasswordField
            value={password}
            onChange={setPassword}
            description={t('create.password_hint')}
            required
          />
        )}
        <Autocomplete
          label={t('user_type')}
          description={t('type_hint')}
          data={USER_TYPES}
          value={type}
          onChange={(next) => setType(cleanText(next))}
        />
        {can('users.setRoles') && givable.length > 0 && (
          <MultiSelect
            label={t('roles.title')}
            data={givable.map(({ name }) => name)}
            value={chosenRoles}
            onChange={setChosenRoles}
            clearable
          />
        )}
        {mayGiveRights && (
          <Checkbox
            label={t('create.admin')}
            checked={admin}
            onChange={(event) => setAdmin(event.currentTarget.checked)}
          />
        )}
        <Checkbox
          label={t('create.locked')}
          checked={locked}
          onChange={(event) => setLocked(event.currentTarget.checked)}
        />
      </Stack>
    </OrderForm>
  );
}
