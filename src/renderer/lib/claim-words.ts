import type { Claim } from '../../contract/claims.ts'
import type { Tone } from '../ui/status-tag.tsx'

const outcomes = {
  replaced: { word: 'Replaced', tone: 'ok' },
  refunded: { word: 'Credited', tone: 'ok' },
  rejected: { word: 'Rejected', tone: 'bad' },
} as const
const states = {
  draft: { word: 'Claim not sent', tone: 'warn' },
  sending: { word: 'Claim on its way', tone: 'info' },
  unknown: { word: 'Claim: no answer yet', tone: 'warn' },
  filed: { word: 'Claim filed', tone: 'info' },
  told: { word: 'Claim sent', tone: 'info' },
  refused: { word: 'Claim refused', tone: 'bad' },
} as const

/** What became of a claim, in a word. */
export function claimWord({
  state,
  outcome,
  status,
}: Pick<Claim, 'state' | 'outcome' | 'status'>): { word: string; tone: Tone } {
  if (outcome !== null) return outcomes[outcome]
  return status === 'escalated' ? { word: 'With support', tone: 'warn' } : states[state]
}
