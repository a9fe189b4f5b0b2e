import type { KeyOutcome } from '../../../contract/keys/batches.ts'
import type { KeyState, KeyHistoryResult, KeyEvent } from '../../../contract/keys/key-history.ts'

const stateWords: Record<KeyState, { word: string; tone?: 'bad' | 'warn' | 'ok' }> = {
  unknown: { word: 'Unknown' },
  refused: { word: 'Rejected by the service', tone: 'bad' },
  excluded: { word: 'Excluded, may be on the offer', tone: 'warn' },
  duplicate: { word: 'Skipped as a duplicate', tone: 'warn' },
  unsure: { word: 'Sent, outcome unknown', tone: 'warn' },
  'in-stock': { word: 'In stock', tone: 'ok' },
  'taken-back': { word: 'Withdrawn to the vault' },
  sold: { word: 'Sold', tone: 'ok' },
  claimed: { word: 'Sold, claimed', tone: 'bad' },
  replaced: { word: 'Claimed, replaced', tone: 'warn' },
  refunded: { word: 'Refunded', tone: 'warn' },
  kept: { word: 'Sold, claim rejected', tone: 'ok' },
}

/** The state, including whether the user has to act. */
export function stateOf(story: KeyHistoryResult): { word: string; tone?: 'bad' | 'warn' | 'ok' } {
  if (story.state !== 'claimed' || story.dispute === null) return stateWords[story.state]
  const { status, answered } = story.dispute
  const progress = status === 'escalated' ? 'escalated' : answered ? 'answered' : 'not answered'
  return { word: `Sold, claimed, ${progress}`, tone: 'bad' }
}

export const knownFrom: Record<KeyEvent['knownFrom'], string> = {
  console: 'Keydesk',
  both: 'Keydesk and the service',
  service: 'the service',
  'key-hash': 'the service, by keySha256',
  'escalates-at': 'the service, escalatesAt',
}

export const outcomeWords: Record<KeyOutcome, string> = {
  added: 'added',
  duplicate: 'skipped',
  unsure: 'outcome unknown',
  refused: 'rejected',
  excluded: 'excluded',
}

export const adjacentWords: Record<KeyHistoryResult['neighbours'][number]['state'], string> = {
  sold: 'Sold',
  claimed: 'Claimed',
  'not-sold': 'Not sold',
  gone: 'Withdrawn',
  duplicate: 'Skipped',
  refused: 'Rejected',
  excluded: 'Excluded',
  unsure: 'Outcome unknown',
}
