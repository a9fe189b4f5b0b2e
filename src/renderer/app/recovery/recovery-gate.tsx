import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { api, useCoreConnection } from '../../lib/core/rpc.ts'
import { RecoveryPage } from './recovery-page.tsx'

/** How often the page reads the progress of the file checks, in milliseconds. */
const progressMs = 1000

/**
 * Shows the recovery page instead of the window when the core couldn't open its data folder. Such a
 * core serves nothing else, so that the window asks first.
 */
export function RecoveryGate({ children }: { children: ReactNode }) {
  const { data, refetch } = useQuery({
    ...api.recovery.state.queryOptions(),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.mode === 'recovery' ? progressMs : false),
  })
  const connection = useCoreConnection((line) => line.state)
  const wasLost = useRef(false)
  useEffect(() => {
    if (connection === 'lost') wasLost.current = true
    // Another core answers now, perhaps one in recovery.
    if (connection === 'connected' && wasLost.current) {
      wasLost.current = false
      void refetch()
    }
  }, [connection, refetch])
  if (data === undefined) return null
  return data.mode === 'recovery' ? <RecoveryPage state={data} /> : children
}
