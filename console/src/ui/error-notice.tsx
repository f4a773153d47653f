import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { StewardError } from '@steward/sdk';
import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isUnknownOutcome } from '../api/outcome.ts';
import { useFormat } from '../i18n/use-format.ts';
import { CopyButton } from './copy-button.tsx';

/** What failed: a read, which may be tried again, or an order, which may have been carried out. */
interface ErrorNoticeProps {
  readonly error: unknown;
  readonly of?: 'read' | 'order';
  readonly onRetry?: (() => void) | undefined;
  /** What it means here, where that is known better. */
  readonly explanation?: string | undefined;
}

/** Says what failed, with the errcode and the id of the request, by which it is found in the logs of the server. */
export function ErrorNotice({ error, of = 'read', onRetry, explanation: given }: ErrorNoticeProps) {
  const { t } = useTranslation();
  const general = useExplanation(error, of);
  const explanation = given ?? general;
  const refusal = error instanceof StewardError ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Alert
      role="alert"
      data-error
      color="red"
      variant="outline"
      icon={<CircleAlert aria-hidden />}
      title={explanation ?? message}
    >
      <Stack gap="xs" align="flex-start">
        {explanation !== undefined && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {message}
          </Text>
        )}
        {refusal !== undefined && (
          <Group gap="xs">
            <Text size="sm" ff="monospace">
              {refusal.errcode}
              {refusal.status > 0 && ` (${refusal.status})`}
            </Text>
            {refusal.requestId !== undefined && (
              <Group gap={4}>
                <Text size="sm">
                  {t('error.request_id')}{' '}
                  <Text span ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                    {refusal.requestId}
                  </Text>
                </Text>
                <CopyButton text={refusal.requestId} />
              </Group>
            )}
          </Group>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('state.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** A sentence in the language of the user for the refusals that any request may meet. */
function useExplanation(error: unknown, of: 'read' | 'order'): string | undefined {
  const { t } = useTranslation();
  const format = useFormat();
  if (!(error instanceof StewardError)) return undefined;
  if (error.errcode === 'STEWARD_STEP_UP_REQUIRED') return t('error.step_up');
  if (error.errcode === 'STEWARD_CREDENTIAL_LIMITED') return t('error.limited_credential');
  if (error.errcode === 'M_USER_SUSPENDED') return t('error.suspended');
  if (of === 'order' && isUnknownOutcome(error)) return t('error.unknown_outcome');
  switch (error.status) {
    case 0:
      return t('error.network');
    case 401:
      return t('error.session_ended');
    case 403:
      return t('error.forbidden');
    case 404:
      return t('error.not_found');
    case 409:
    case 412:
      return t('error.conflict');
    case 429:
      return t('error.rate_limited', { time: format.duration(error.retryAfterMs ?? 1_000) });
    default:
      return undefined;
  }
}
