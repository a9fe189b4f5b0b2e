import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Router } from 'wouter'
import { followChanges } from '../lib/core/changes.ts'
import { reportVisibleTopics } from '../lib/core/visible-topics.ts'
import { createSchemeManager } from './theme/color-scheme.ts'
import { hashRouting } from './pages/hash-routing.ts'
import { ConnectionGate } from './connection/connection-gate.tsx'
import { RecoveryGate } from './recovery/recovery-gate.tsx'
import toastStyles from '../ui/feedback/toasts.module.css'
import { layers } from '../ui/layers.ts'
import { PageGuard } from './shell/page-guard.tsx'
import { Shell } from './shell/shell.tsx'
import { cssVariablesResolver, theme } from './theme/theme.ts'

// The change stream reports stale data, so polling would only add load. A call without a connection
// waits for one, so nothing is retried here either. Mutations are dropped when they finish because
// their variables can hold a passphrase or an API key.
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      retry: false,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', gcTime: 0 },
  },
})
// Render a response in the task that delivers it, not in a later one.
notifyManager.setScheduler(queueMicrotask)
const schemes = createSchemeManager()

/** The root component of the window. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queries}>
        <Notifications
          position="bottom-left"
          className={toastStyles.stack}
          limit={20}
          containerWidth={386}
          zIndex={layers.toasts}
        />
        <PageGuard>
          <ConnectionGate>
            <RecoveryGate>
              <Router {...hashRouting}>
                <FollowedShell />
              </Router>
            </RecoveryGate>
          </ConnectionGate>
        </PageGuard>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** The window, which follows the core's changes. */
function FollowedShell() {
  useEffect(() => {
    const stop = new AbortController()
    void followChanges(queries, stop.signal)
    reportVisibleTopics(queries, stop.signal)
    return () => stop.abort()
  }, [])
  return <Shell />
}
