import { Text } from '@mantine/core';
import type { PushFailure } from '@steward/sdk';
import { useTranslation } from 'react-i18next';

const FAILURES = ['timeout', 'refused_address', 'dns', 'connect', 'tls', 'redirect', 'protocol'] as const;

interface AnswerProps {
  /** An attempt of a webhook or a push. */
  readonly attempt: PushFailure;
  /** Whether to show what else is known about a failure. */
  readonly withDetail?: boolean;
}

/** What the receiver answered, or why there was no answer. */
export function Answer({ attempt: { status, failure, detail }, withDetail = false }: AnswerProps) {
  const { t } = useTranslation();
  const known = FAILURES.find((each) => each === failure);
  return (
    <>
      {[status, failure === null ? null : known === undefined ? failure : t(`answer.${known}`)]
        .filter((each) => each !== null)
        .join(': ')}
      {withDetail && detail !== null && (
        <Text size="xs" c="dimmed">
          <bdi>{detail}</bdi>
        </Text>
      )}
    </>
  );
}
