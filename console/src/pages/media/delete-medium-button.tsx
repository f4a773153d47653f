import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Order, useOrder } from '../../api/use-order.ts';
import { OrderForm } from '../../ui/order/order-form.tsx';
import { useConsequences } from './use-consequences.ts';

interface DeleteMediumButtonProps {
  readonly serverName: string;
  readonly mediaId: string;
  /** Is told when the medium is gone, or is not after all: the page must not read it any more. */
  readonly onGone: (gone: boolean) => void;
}

/** Deletes the medium of the page, and leaves the page. */
export function DeleteMediumButton({ serverName, mediaId, onGone }: DeleteMediumButtonProps) {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  const navigate = useNavigate();
  const consequencesOf = useConsequences();
  const order = useOrder('media.delete');
  const leaving: Order<'media.delete'> = {
    ...order,
    async send(...args) {
      onGone(true);
      try {
        return await order.send(...args);
      } catch (error) {
        onGone(false);
        throw error;
      }
    },
  };
  if (!order.permitted) return null;
  return (
    <>
      <Button size="xs" variant="outline" color="red" onClick={open}>
        {t('delete.title')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('delete.title')}
        size="lg"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': common('order.close') }}
      >
        {opened && (
          <OrderForm
            order={leaving}
            params={{ server_name: serverName, media_id: mediaId }}
            consequences={consequencesOf('delete')}
            label={t('delete.title')}
            danger
            typeToConfirm={t('delete.confirm')}
            onCancel={close}
            onDone={() => {
              notifications.show({ message: t('medium.deleted'), color: 'green' });
              void navigate({ to: '/media' });
            }}
          />
        )}
      </Modal>
    </>
  );
}
