import { create } from 'zustand'
import { proofNeededSchema, type ProofNeeded } from '../../contract/app/second-proof.ts'
import type { ProvenAction } from '../../contract/base.ts'
import { t } from '../../contract/localization/localized.ts'
import { expectDialog } from '../ui/hooks/dialog-stack.ts'
import { problemOf } from './core/problem.ts'

/** A call that waits for a second proof. The shell shows a dialog while this is set. */
export interface ProofWaiting extends ProofNeeded {
  resolve: (given: boolean) => void
}
export const useProofGate = create<{ waiting: ProofWaiting | null }>(() => ({ waiting: null }))

/** What an action needs its proof for, inside a sentence: "export keys". */
export function purposeOf(action: ProvenAction): string {
  const text = t(`vault.for-${action}`)
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Several calls can need a proof; each gets its own dialog, one after another. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Asks for the second proof that a rejected call needs.
 *
 * @returns the proof to repeat the call with; null if it needs none, or the person declined
 */
export async function proofFor(error: unknown): Promise<string | null> {
  const { code, details } = problemOf(error)
  const needed = code === 'PROOF_NEEDED' ? proofNeededSchema.safeParse(details).data : undefined
  if (needed === undefined) return null
  const turn = askAfter(last, needed)
  last = turn
  return (await turn) ? needed.challenge : null
}

async function askAfter(earlier: Promise<unknown>, needed: ProofNeeded): Promise<boolean> {
  await earlier
  const closed = expectDialog()
  try {
    return await new Promise<boolean>((resolve) =>
      useProofGate.setState({ waiting: { ...needed, resolve } }),
    )
  } finally {
    useProofGate.setState({ waiting: null })
    closed()
  }
}
