import { Badge } from '@mantine/core';
import type { Webhook } from '@steward/sdk';
import { useTranslation } from 'react-i18next';

/** Whether a webhook is switched on and its receiver accepts messages. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('access');
  const { enabled, disabled_reason: reason, failing_since_ts: failing } = webhook;
  if (enabled) {
    return (
      <Badge variant="outline" tt="none" color={failing === null ? 'green' : 'orange'}>
        {t(failing === null ? 'hook_on' : 'hook_failing')}
      </Badge>
    );
  }
  const byServer = reason !== null && reason !== 'requested';
  return (
    <Badge variant="outline" tt="none" color={byServer ? 'red' : 'gray'}>
      {t(reason === 'gone' ? 'hook_gone' : reason === 'failing' ? 'hook_given_up' : 'hook_off')}
    </Badge>
  );
}
