import { Alert, Button, Stack, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ErrorDetails } from './error-details.tsx';
import { useExplanation } from './use-explanation.ts';

/** What failed: a read, which may be tried again, or an order, which may have been carried out. */
interface ErrorNoticeProps {
  readonly error: unknown;
  readonly of?: 'read' | 'order';
  readonly onRetry?: (() => void) | undefined;
  /** What it means here, where that is known better: it takes the place of the sentence of the server. */
  readonly explanation?: string | undefined;
}

/** Says what failed, with the codes by which it is found in the logs of the server behind a detail. */
export function ErrorNotice({ error, of = 'read', onRetry, explanation }: ErrorNoticeProps) {
  const { t } = useTranslation();
  const general = useExplanation()(error, of);
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Alert
      role="alert"
      data-error
      color="red"
      variant="outline"
      icon={<CircleAlert aria-hidden />}
      title={explanation ?? general ?? message}
    >
      <Stack gap="xs" align="flex-start">
        {explanation === undefined && general !== undefined && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {message}
          </Text>
        )}
        <ErrorDetails error={error} message={explanation === undefined ? undefined : message} />
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('state.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
