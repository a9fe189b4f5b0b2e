import type { KeyState, KeyStory, LifeEvent } from '../../../contract/key-history.ts'

const stateWords: Record<KeyState, { word: string; tone?: 'bad' | 'warn' | 'ok' }> = {
  unknown: { word: 'Not known here' },
  refused: { word: 'Not taken by the service', tone: 'bad' },
  duplicate: { word: 'Skipped as a duplicate', tone: 'warn' },
  unsure: { word: 'Sent, not told apart', tone: 'warn' },
  'in-stock': { word: 'In stock', tone: 'ok' },
  'taken-back': { word: 'Taken back into the vault' },
  sold: { word: 'Sold', tone: 'ok' },
  claimed: { word: 'Sold, claimed', tone: 'bad' },
  replaced: { word: 'Claimed, replaced', tone: 'warn' },
  refunded: { word: 'Refunded', tone: 'warn' },
  kept: { word: 'Sold, claim rejected', tone: 'ok' },
}

/** The state with what a person has to do about it. */
export function stateOf(story: KeyStory): { word: string; tone?: 'bad' | 'warn' | 'ok' } {
  if (story.state !== 'claimed' || story.dispute === null) return stateWords[story.state]
  return {
    word: `Sold, claimed, ${story.dispute.status === 'escalated' ? 'escalated' : story.dispute.answered ? 'answered' : 'not answered'}`,
    tone: 'bad',
  }
}

export const knownFrom: Record<LifeEvent['knownFrom'], string> = {
  console: 'this console',
  both: 'this console and the service',
  service: 'the service',
  'key-hash': 'the service, by keySha256',
  'escalates-at': 'the service, escalatesAt',
}

export const neighbourWords: Record<KeyStory['neighbours'][number]['state'], string> = {
  sold: 'Sold',
  claimed: 'Claimed',
  'not-sold': 'Not sold',
  gone: 'Taken back',
  duplicate: 'Skipped',
  refused: 'Not taken',
  unsure: 'Not told apart',
}
