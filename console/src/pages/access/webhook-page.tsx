import { Alert, Stack, Text, Title } from '@mantine/core';
import type { Webhook } from '@steward/sdk';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Fields } from '../../ui/fields.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { Deliveries } from './deliveries.tsx';
import { Maker } from './maker.tsx';
import { WebhookOrders } from './webhook-orders.tsx';
import { WebhookState } from './webhook-state.tsx';

const REFRESH_MS = 10_000;

/** One webhook: what it gets, how its receiver does, and what was sent. */
export function WebhookPage() {
  const { t } = useTranslation('access');
  const { webhookId: id } = useParams({ from: '/access/webhooks/$webhookId' });
  const navigate = useNavigate();
  const query = useRead('webhooks.get', { id }, { everyMs: REFRESH_MS });
  return (
    <Page title={t('webhook')}>
      <Stack>
        <TextLink to="/access" search={{ tab: 'webhooks' }} fz="sm">
          {t('to_webhooks')}
        </TextLink>
        <QueryState query={query} operation="webhooks.get">
          {(webhook) => (
            <>
              <WebhookOrders
                webhook={webhook}
                onGone={() => void navigate({ to: '/access', search: { tab: 'webhooks' }, replace: true })}
              />
              <WebhookSummary webhook={webhook} />
              <Title order={2} size="h4">
                {t('deliveries')}
              </Title>
              <Deliveries webhook={webhook} />
              <Title order={2} size="h4">
                {t('details')}
              </Title>
              <WebhookDetails webhook={webhook} />
            </>
          )}
        </QueryState>
      </Stack>
    </Page>
  );
}

/** What it gets, and whether its receiver accepts it. */
function WebhookSummary({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('access');
  const format = useFormat();
  const { url, description, types, targets, missed, disabled_reason: reason } = webhook;
  const { last_success_ts: success, last_failure_ts: failure, failing_since_ts: failing } = webhook;
  return (
    <>
      {(reason === 'gone' || reason === 'failing') && (
        <Alert variant="outline" color="red" title={t('switched_off')}>
          <Text size="sm">{t(reason === 'gone' ? 'switched_off_gone' : 'switched_off_failing')}</Text>
        </Alert>
      )}
      {missed !== null && (
        <Alert variant="outline" color="orange" title={t('missed')}>
          <Text size="sm">
            {t('missed_hint', { from: format.number(missed.from), to: format.number(missed.to) })}
          </Text>
        </Alert>
      )}
      <Fields
        fields={[
          ['URL', <IdText key="url" id={url} />],
          [t('state'), <WebhookState key="state" webhook={webhook} />],
          [t('description'), <bdi key="description">{description === '' ? '–' : description}</bdi>],
          [t('types'), types.length === 0 ? t('all_types') : types.join(', ')],
          [t('webhook_targets'), targets.length === 0 ? t('all_targets') : targets.join(', ')],
          [t('last_success'), <Time key="success" ms={success} exact />],
          [t('last_failure'), <Time key="failure" ms={failure} exact />],
          ...(failing === null
            ? []
            : ([[t('failing_since'), <Time key="failing" ms={failing} exact />]] as const)),
        ]}
      />
    </>
  );
}

/** Who made it, with what rights, and how far it is. */
function WebhookDetails({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('access');
  const format = useFormat();
  const { id, scopes, position, previous_secret_expires_ts: previous } = webhook;
  const { created_ts: created, created_by: maker, changed_ts: changed, changed_by: changer } = webhook;
  return (
    <Fields
      fields={[
        [t('id'), <IdText key="id" id={id} />],
        [t('position'), format.number(position)],
        ...(previous === null
          ? []
          : ([[t('previous_secret'), <Time key="previous" ms={previous} exact />]] as const)),
        [t('created'), <Time key="created" ms={created} exact />],
        [t('created_by'), <Maker key="maker" id={maker} />],
        [t('changed'), <Time key="changed" ms={changed} exact />],
        [t('changed_by'), <Maker key="changer" id={changer} />],
        [t('scopes'), scopes.join(', ')],
      ]}
    />
  );
}
