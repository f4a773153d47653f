import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { live } from '../live/live.ts';
import { refreshOnEvents } from '../live/refresh-on-events.ts';
import { RequiredEnrolment } from '../pages/me/required-enrolment.tsx';
import { mustEnrol } from '../session/enrolment-due.ts';
import { session } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';
import { SessionEndedDialog } from '../sign-in/session-ended-dialog.tsx';
import { SignInPage } from '../sign-in/sign-in-page.tsx';
import { StepUpDialog } from '../sign-in/step-up-dialog.tsx';
import { createQueryClient } from './query-client.ts';
import { createConsoleRouter } from './router.tsx';
import { theme, variables } from './theme.ts';
import { Unreachable } from './unreachable.tsx';

const colorScheme = localStorageColorSchemeManager({ key: 'steward.colour-scheme' });
const EVENTS_READ = 'events:read';

/** The console. */
export function App({ nonce }: { readonly nonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
      getStyleNonce={() => nonce}
      cssVariablesResolver={variables}
    >
      <Notifications position="bottom-right" />
      <Signed />
    </MantineProvider>
  );
}

function Signed() {
  const state = useSession();
  switch (state.kind) {
    case 'loading':
      return null;
    case 'unreachable':
      return <Unreachable error={state.error} onRetry={() => void session.load()} />;
    case 'signed-out':
      return <SignInPage />;
    case 'signed-in':
      // Another user begins with nothing that this one has read.
      return (
        <Console
          key={state.me.user_id}
          mayFollow={state.me.scopes.includes(EVENTS_READ)}
          enrols={mustEnrol(state.me)}
        />
      );
  }
}

interface ConsoleProps {
  readonly mayFollow: boolean;
  /** Whether the session has no rights before the account has a second factor. */
  readonly enrols: boolean;
}

function Console({ mayFollow, enrols }: ConsoleProps) {
  const queries = useMemo(createQueryClient, []);
  const router = useMemo(createConsoleRouter, []);
  useEffect(() => {
    if (!mayFollow) return undefined;
    const stopRefreshing = refreshOnEvents(queries);
    const stopEnding = live.listen((message) => {
      // The stream ends with the session.
      if (message.kind === 'state' && message.state === 'ended') void session.refresh().catch(session.expire);
    });
    live.start();
    return () => {
      stopEnding();
      stopRefreshing();
      live.stop();
    };
  }, [queries, mayFollow]);
  return (
    <QueryClientProvider client={queries}>
      {enrols ? <RequiredEnrolment /> : <RouterProvider router={router} />}
      <StepUpDialog />
      <SessionEndedDialog />
    </QueryClientProvider>
  );
}
