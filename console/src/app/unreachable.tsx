import { Center, Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../ui/errors/error-notice.tsx';

interface UnreachableProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** The page when the server cannot say whether there is a session. */
export function Unreachable({ error, onRetry }: UnreachableProps) {
  const { t } = useTranslation();
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack maw={520}>
        <Title order={1} size="h3">
          {t('state.unreachable')}
        </Title>
        <ErrorNotice error={error} onRetry={onRetry} />
      </Stack>
    </Center>
  );
}
