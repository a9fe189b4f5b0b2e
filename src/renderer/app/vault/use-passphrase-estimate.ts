import { useEffect, useState } from 'react'
import type { PassphraseEstimate } from '../../../contract/app/passphrases.ts'
import { rpc } from '../../lib/core/rpc.ts'

/** Long enough that typing doesn't ask with each key. */
const WAIT_MS = 120

/**
 * How hard a passphrase is to guess, as the core judges it; null until it has. The passphrase isn't
 * part of a query, because queries are remembered.
 */
export function usePassphraseEstimate(passphrase: string): PassphraseEstimate | null {
  const [judged, setJudged] = useState<{ passphrase: string; estimate: PassphraseEstimate }>()
  useEffect(() => {
    if (passphrase === '') return setJudged(undefined)
    let isCurrent = true
    const judge = async (): Promise<void> => {
      const estimate = await rpc.passphrases.estimate({ passphrase })
      if (isCurrent) setJudged({ passphrase, estimate })
    }
    // Without an estimate, the core judges the passphrase when it is used.
    const timer = setTimeout(() => void judge().catch(() => {}), WAIT_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [passphrase])
  return judged?.passphrase === passphrase ? judged.estimate : null
}
