import { Group, Stack, Text } from '@mantine/core';
import { StewardError } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../copy-button.tsx';

interface ErrorDetailsProps {
  readonly error: unknown;
  /** The sentence of the server, where another one is shown. */
  readonly message?: string | undefined;
}

/** The codes of a refusal, by which it is found in the logs of the server, for those who open them. */
export function ErrorDetails({ error, message }: ErrorDetailsProps) {
  const { t } = useTranslation();
  const refusal = error instanceof StewardError ? error : undefined;
  if (refusal === undefined && message === undefined) return null;
  return (
    <details className="error-details">
      <summary>{t('error.details')}</summary>
      <Stack gap={4} mt={4} align="flex-start">
        {message !== undefined && <Text size="sm">{message}</Text>}
        {refusal !== undefined && (
          <Text size="sm" ff="monospace">
            {refusal.errcode}
            {refusal.status > 0 && ` (${refusal.status})`}
          </Text>
        )}
        {refusal?.requestId !== undefined && (
          <Group gap={4}>
            <Text size="sm">
              {t('error.request_id')}{' '}
              <Text span ff="monospace">
                {refusal.requestId}
              </Text>
            </Text>
            <CopyButton text={refusal.requestId} />
          </Group>
        )}
      </Stack>
    </details>
  );
}
