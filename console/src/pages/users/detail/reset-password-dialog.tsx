import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';
import { PasswordField } from '../password-field.tsx';

interface ResetPasswordDialogProps {
  readonly userId: string;
  readonly onClose: () => void;
}

/** Sets a new password. */
export function ResetPasswordDialog({ userId, onClose }: ResetPasswordDialogProps) {
  const { t } = useTranslation('users');
  const [password, setPassword] = useState('');
  const [logout, setLogout] = useState(true);
  return (
    <OrderDialog
      opened
      onClose={onClose}
      operation="users.resetPassword"
      title={t('orders.reset_password.title')}
      consequences={[
        t('orders.reset_password.effect'),
        t(logout ? 'orders.reset_password.effect_logout' : 'orders.reset_password.effect_no_logout'),
      ]}
      params={
        password === '' ? undefined : { user_id: userId, new_password: password, logout_devices: logout }
      }
    >
      <PasswordField
        value={password}
        onChange={setPassword}
        description={t('create.password_hint')}
        required
      />
      <Checkbox
        label={t('orders.reset_password.logout')}
        checked={logout}
        onChange={(event) => setLogout(event.currentTarget.checked)}
      />
    </OrderDialog>
  );
}
