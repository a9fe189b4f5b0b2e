import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api } from '../../../lib/core/rpc.ts'
import { aheadWords } from '../words.ts'

/**
 * In the status bar of a sandbox account: how far the sandbox's clock is ahead of the computer's.
 * Hidden while it isn't ahead.
 */
export function ClockSegment({ render }: { render: (content: ReactNode) => ReactNode }) {
  const runs = useQuery(api.sandbox.state.queryOptions()).data?.state === 'running'
  const clock = useQuery({ ...api.sandbox.control.clock.queryOptions(), enabled: runs }).data
  const ahead = runs && clock !== undefined ? aheadWords(clock.offsetMs) : null
  return ahead === null ? null : render(<Link href="/sandbox">Clock {ahead}</Link>)
}
