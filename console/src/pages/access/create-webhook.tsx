import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { linesOf } from './lines-field.tsx';
import { isUrl, type WebhookDraft, WebhookFields } from './webhook-fields.tsx';

const EMPTY: WebhookDraft = { url: '', description: '', types: [], targets: '' };

/** Makes a webhook, and shows its secret, once. */
export function CreateWebhook() {
  const { t } = useTranslation('access');
  const [draft, setDraft] = useState(EMPTY);
  const [secret, setSecret] = useState<string>();
  const { url, description, types, targets } = draft;
  return (
    <>
      <OrderButton
        operation="webhooks.create"
        title={t('create_webhook')}
        consequences={[t('create_webhook_effect'), t('create_webhook_scopes')]}
        params={isUrl(url) ? { url, description, types, targets: linesOf(targets) } : undefined}
        onDone={(made) => setSecret(made.secret)}
        onClosed={() => setDraft(EMPTY)}
        button={{ variant: 'filled' }}
      >
        <WebhookFields
          draft={draft}
          onChange={(fields) => setDraft((before) => ({ ...before, ...fields }))}
        />
      </OrderButton>
      <SecretDialog
        title={t('webhook_secret')}
        hint={t('webhook_secret_hint')}
        secrets={secret === undefined ? undefined : [secret]}
        onClose={() => setSecret(undefined)}
      />
    </>
  );
}
