import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { KeyCheck } from '../../../contract/app/accounts.ts'
import type { Problem } from '../../../contract/base.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { isCompleteKey, addressError } from '../accounts/key-field.ts'

export interface KeyCheckState {
  state: 'none' | 'asking' | 'accepted' | 'refused'
  found: KeyCheck | null
  problem: Problem | null
  again: () => void
}

const settleMs = 350

/**
 * Checks a key with the service once it is complete and typing has paused. The key never becomes
 * part of a query key, which would keep it in the cache.
 */
export function useKeyCheck(key: string, baseUrl: string): KeyCheckState {
  const [round, setRound] = useState(0)
  const asked = useRef({ key, baseUrl })
  asked.current = { key, baseUrl }
  const whole = isCompleteKey(key) && addressError(baseUrl) === null
  useEffect(() => {
    setRound(0)
    if (!whole) return
    const timer = setTimeout(() => setRound(Date.now()), settleMs)
    return () => clearTimeout(timer)
  }, [key, baseUrl, whole])
  const check = useQuery({
    queryKey: ['key-check', round],
    queryFn: () => rpc.accounts.check(asked.current),
    enabled: round > 0,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const again = (): void => setRound(Date.now())
  if (!whole || round === 0)
    return { state: whole ? 'asking' : 'none', found: null, problem: null, again }
  if (check.isError)
    return { state: 'refused', found: null, problem: problemOf(check.error), again }
  return check.data === undefined
    ? { state: 'asking', found: null, problem: null, again }
    : { state: 'accepted', found: check.data, problem: null, again }
}
