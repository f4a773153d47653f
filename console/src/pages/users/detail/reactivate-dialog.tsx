import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';
import { PasswordField } from '../password-field.tsx';

interface ReactivateDialogProps {
  readonly userId: string;
  readonly onClose: () => void;
}

/** Makes a deactivated account usable again, with a new password. */
export function ReactivateDialog({ userId, onClose }: ReactivateDialogProps) {
  const { t } = useTranslation('users');
  const [password, setPassword] = useState('');
  return (
    <OrderDialog
      opened
      onClose={onClose}
      operation="users.put"
      title={t('orders.reactivate.title')}
      consequences={[t('orders.reactivate.effect'), t('orders.reactivate.effect_rest')]}
      params={password === '' ? undefined : { user_id: userId, deactivated: false, password }}
    >
      <PasswordField
        value={password}
        onChange={setPassword}
        description={t('create.password_hint')}
        required
      />
    </OrderDialog>
  );
}
