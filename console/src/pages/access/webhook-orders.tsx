import { Checkbox, Group } from '@mantine/core';
import type { Webhook } from '@steward/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { type Duration, DurationField, msOf } from './duration-field.tsx';
import { linesOf } from './lines-field.tsx';
import { ReplayWebhook } from './replay-webhook.tsx';
import { useMayGive } from './use-may-give.ts';
import { isUrl, type WebhookDraft, WebhookFields } from './webhook-fields.tsx';

interface WebhookOrdersProps {
  readonly webhook: Webhook;
  /** Called when the webhook was deleted. */
  readonly onGone: () => void;
}

/** What can be done with a webhook. Changing it needs all its scopes. */
export function WebhookOrders({ webhook, onGone }: WebhookOrdersProps) {
  const { t } = useTranslation('access');
  const mayGive = useMayGive();
  const navigate = useNavigate();
  const { id, enabled, url, scopes, failing_since_ts: failing } = webhook;
  const changeable = mayGive(scopes);
  return (
    <Group gap="xs">
      {enabled && (
        <OrderButton
          operation="webhooks.test"
          title={t('test_webhook')}
          text={t('test')}
          consequences={[t('test_webhook_effect')]}
          params={{ id }}
          onDone={({ delivery_id: delivery }) =>
            void navigate({
              to: '/access/webhooks/$webhookId',
              params: { webhookId: id },
              search: { delivery },
              replace: true,
              resetScroll: false,
            })
          }
        />
      )}
      {enabled && <ReplayWebhook webhook={webhook} />}
      {changeable && (
        <>
          <EditWebhook webhook={webhook} />
          {(!enabled || failing !== null) && (
            <OrderButton
              operation="webhooks.update"
              title={t(enabled ? 'retry_webhook' : 'enable_webhook')}
              text={t(enabled ? 'retry_now' : 'enable')}
              consequences={[t('enable_webhook_effect')]}
              params={{ id, enabled: true }}
            />
          )}
          {enabled && (
            <OrderButton
              operation="webhooks.update"
              title={t('disable_webhook')}
              text={t('disable')}
              consequences={[t('disable_webhook_effect')]}
              params={{ id, enabled: false }}
            />
          )}
          <RotateSecret id={id} />
          <OrderButton
            operation="webhooks.delete"
            title={t('delete_webhook')}
            text={t('delete')}
            consequences={[t('delete_webhook_effect', { url })]}
            params={{ id }}
            onDone={onGone}
            danger
          />
        </>
      )}
    </Group>
  );
}

function EditWebhook({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('access');
  const [draft, setDraft] = useState<WebhookDraft>();
  const [takeScopes, setTakeScopes] = useState(false);
  const { id } = webhook;
  const present: WebhookDraft = { ...webhook, targets: webhook.targets.join('\n') };
  const { url, description, types, targets } = draft ?? present;
  const change = {
    ...(url === present.url && !takeScopes ? {} : { url }),
    ...(description === present.description ? {} : { description }),
    ...(types.join(' ') === present.types.join(' ') ? {} : { types }),
    ...(targets === present.targets ? {} : { targets: linesOf(targets) }),
    ...(takeScopes ? { take_scopes: true } : {}),
  };
  return (
    <OrderButton
      operation="webhooks.update"
      title={t('edit_webhook')}
      text={t('edit')}
      consequences={[t('edit_webhook_effect')]}
      params={isUrl(url) && Object.keys(change).length > 0 ? { id, ...change } : undefined}
      onClosed={() => {
        setDraft(undefined);
        setTakeScopes(false);
      }}
      label={t('save')}
    >
      <WebhookFields
        draft={draft ?? present}
        onChange={(fields) => setDraft((before) => ({ ...(before ?? present), ...fields }))}
      />
      <Checkbox
        label={t('take_scopes')}
        description={t('take_scopes_hint')}
        checked={takeScopes}
        onChange={(event) => setTakeScopes(event.currentTarget.checked)}
      />
    </OrderButton>
  );
}

const A_DAY: Duration = { amount: 1, unit: 'days' };

function RotateSecret({ id }: { readonly id: string }) {
  const { t } = useTranslation('access');
  const [overlap, setOverlap] = useState(A_DAY);
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <OrderButton
        operation="webhooks.rotateSecret"
        title={t('rotate_secret')}
        text={t('rotate_secret_short')}
        consequences={[t('rotate_secret_effect')]}
        params={{ id, overlap_ms: msOf(overlap) ?? 0 }}
        onDone={(rotated) => setSecret(rotated.secret)}
        onClosed={() => setOverlap(A_DAY)}
      >
        <DurationField
          label={t('overlap')}
          description={t('overlap_webhook_hint')}
          value={overlap}
          onChange={setOverlap}
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
