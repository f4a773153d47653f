import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cleanText } from '../../ui/input/clean-text.ts';
import { OrderButton } from '../../ui/order/order-button.tsx';

/** Deletes all hashes of a source from the list of known-bad content. */
export function DeleteSourceButton({ source }: { readonly source: string }) {
  const { t } = useTranslation('media');
  const [typed, setTyped] = useState(source);
  useEffect(() => setTyped(source), [source]);
  const chosen = cleanText(typed);
  return (
    <OrderButton
      operation="mediaHashes.deleteSource"
      title={t('hashes.delete_source')}
      consequences={[
        t('hashes.delete_source_effect'),
        t('hashes.delete_effect'),
        t('hashes.delete_effect_media'),
      ]}
      params={chosen === '' ? undefined : { source: chosen }}
      danger
      onDone={({ deleted }) =>
        notifications.show({ message: t('hashes.deleted', { count: deleted }), color: 'green' })
      }
    >
      <TextInput
        label={t('hashes.source')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        spellCheck={false}
      />
    </OrderButton>
  );
}
