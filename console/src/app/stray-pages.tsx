import { Stack } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../ui/errors/error-notice.tsx';
import { TextLink } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';

/** The page for an address that the console does not have. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <Page title={t('state.not_found')}>
      <TextLink to="/">{t('state.home')}</TextLink>
    </Page>
  );
}

/** The page in place of one that failed. */
export function Crashed({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  return (
    <Page title={t('state.crashed')}>
      <Stack>
        <ErrorNotice error={error} onRetry={reset} />
      </Stack>
    </Page>
  );
}
