import { Button } from '@mantine/core';
import type { PasskeyAssertion } from '@steward/sdk';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { canUsePasskeys, provePasskey } from '../session/passkeys.ts';

interface PasskeyButtonProps {
  readonly text: string;
  /** Whether a session begins, or is proved again. */
  readonly purpose: 'sign-in' | 'step-up';
  readonly onProved: (passkey: PasskeyAssertion) => Promise<void>;
  readonly onRefused: (error: unknown) => void;
}

/** Asks the browser for a passkey. Absent in browsers without passkeys. */
export function PasskeyButton({ text, purpose, onProved, onRefused }: PasskeyButtonProps) {
  const [pending, setPending] = useState(false);

  async function prove() {
    setPending(true);
    try {
      await onProved(await provePasskey(purpose));
    } catch (error) {
      // The user has closed the question of the browser.
      if (!(error instanceof DOMException)) onRefused(error);
    } finally {
      setPending(false);
    }
  }

  if (!canUsePasskeys()) return null;
  return (
    <Button
      variant="default"
      leftSection={<Fingerprint size={18} aria-hidden />}
      loading={pending}
      onClick={() => void prove()}
    >
      {text}
    </Button>
  );
}
