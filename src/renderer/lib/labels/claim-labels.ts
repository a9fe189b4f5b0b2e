import type { Claim } from '../../../contract/claims.ts'
import type { Tone } from '../../ui/data-display/status-tag.tsx'

const outcomes = {
  replaced: { word: 'Replaced', tone: 'ok' },
  refunded: { word: 'Credited', tone: 'ok' },
  rejected: { word: 'Rejected', tone: 'bad' },
} as const
const states = {
  draft: { word: 'Claim not sent', tone: 'warn' },
  sending: { word: 'Sending claim', tone: 'info' },
  unknown: { word: 'Claim not confirmed', tone: 'warn' },
  filed: { word: 'Claim filed', tone: 'info' },
  told: { word: 'Claim sent', tone: 'info' },
  refused: { word: 'Claim rejected', tone: 'bad' },
} as const

/** The status of a claim as a short label. */
export function claimLabel({
  state,
  outcome,
  status,
}: Pick<Claim, 'state' | 'outcome' | 'status'>): { word: string; tone: Tone } {
  if (outcome !== null) return outcomes[outcome]
  return status === 'escalated' ? { word: 'With support', tone: 'warn' } : states[state]
}

/** Whether the supplier hasn't received a claim: its key still has to be claimed in time. */
export const isUnsentClaim = ({ state }: Pick<Claim, 'state'>): boolean =>
  state === 'draft' || state === 'refused'
