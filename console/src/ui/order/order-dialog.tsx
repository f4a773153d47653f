import { Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrder } from '../../api/use-order.ts';
import type { Answer, Operation, Params } from '../../client/operation.ts';
import { beginsTask } from './begins-task.ts';
import { OrderForm, type OrderFormProps } from './order-form.tsx';

/** An order in a dialog. */
export interface OrderDialogProps<O extends Operation>
  extends Pick<OrderFormProps<O>, 'reasonAs' | 'headers'> {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly operation: O;
  readonly title: string;
  /** The parameters; undefined while a field is missing or wrong. */
  readonly params: Params<O> | undefined;
  readonly consequences: readonly string[];
  readonly label?: string | undefined;
  readonly danger?: boolean | undefined;
  readonly typeToConfirm?: string | undefined;
  readonly explain?: ((error: Error) => string | undefined) | undefined;
  readonly children?: ReactNode;
  /** The text when the order was answered; unless set, that it is done, or that its task has begun. */
  readonly done?: string | undefined;
  readonly onDone?: ((answer: Answer<O>) => void) | undefined;
}

/** Asks for an order in a dialog, which stays open until the order is answered. */
export function OrderDialog<O extends Operation>(props: OrderDialogProps<O>) {
  const { opened, onClose, title } = props;
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('order.close') }}
    >
      {/* Mounted anew for each order, so that it begins without what was typed before. */}
      {opened && <OrderInDialog {...props} />}
    </Modal>
  );
}

function OrderInDialog<O extends Operation>(props: OrderDialogProps<O>) {
  const {
    onClose,
    operation,
    title,
    params,
    consequences,
    label,
    danger,
    typeToConfirm,
    reasonAs,
    headers,
    explain,
    children,
    done,
    onDone,
  } = props;
  const { t } = useTranslation();
  const order = useOrder(operation);
  return (
    <OrderForm
      order={order}
      params={params}
      consequences={consequences}
      label={label ?? title}
      danger={danger}
      typeToConfirm={typeToConfirm}
      reasonAs={reasonAs}
      headers={headers}
      explain={explain}
      onCancel={onClose}
      onDone={(answer) => {
        onClose();
        notifications.show({
          message: done ?? `${title}: ${t(beginsTask(answer) ? 'order.begun' : 'order.done')}`,
          color: 'green',
        });
        if (typeof answer === 'object' && answer !== null && 'rights_pending' in answer)
          notifications.show({ message: t('order.rights_pending'), color: 'orange', autoClose: false });
        onDone?.(answer);
      }}
    >
      {children}
    </OrderForm>
  );
}
