import { Center, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../api/use-can.ts';
import type { Operation } from '../client/operation.ts';
import { ErrorNotice } from './errors/error-notice.tsx';

interface QueryStateProps<Data> {
  readonly query: UseQueryResult<Data, Error>;
  /** The operation that is read; without its scope the page says so. */
  readonly operation: Operation;
  readonly children: (data: Data) => ReactNode;
}

const PLACEHOLDERS = [1, 2, 3];

/** Shows what a read answers, or that it is on its way, was refused, or is not permitted. */
export function QueryState<Data>({ query, operation, children }: QueryStateProps<Data>) {
  const { t } = useTranslation();
  const can = useCan();
  if (!can(operation)) return <Note>{t('state.not_permitted')}</Note>;
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && <ErrorNotice error={query.error} onRetry={() => query.refetch()} />}
        {children(query.data)}
      </>
    );
  }
  if (query.isError) return <ErrorNotice error={query.error} onRetry={() => query.refetch()} />;
  return (
    <Stack role="status" aria-label={t('state.loading')} gap="sm">
      {PLACEHOLDERS.map((each) => (
        <Skeleton key={each} height={24} />
      ))}
    </Stack>
  );
}

/** A sentence in place of content. */
export function Note({ children }: { readonly children: ReactNode }) {
  return (
    <Center p="lg">
      <Text c="dimmed" ta="center">
        {children}
      </Text>
    </Center>
  );
}
