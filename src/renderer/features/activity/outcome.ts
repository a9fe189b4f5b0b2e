import type { ActivityEntry } from '../../../contract/app.ts'

export type View = 'all' | 'failed' | 'unknown'

export const outcomeWords: Record<ActivityEntry['outcome'], string> = { ok: 'Done', failed: 'Failed', unknown: 'No answer yet' }

/** The view besides "All" in which an entry stands. */
export const viewOf = (entry: ActivityEntry): View => (entry.outcome === 'ok' ? 'all' : entry.outcome)

/** Whether every word typed is somewhere in the entry: in its words, code, status or request id. */
export function saysWords(entry: ActivityEntry, typed: string): boolean {
  const text = [entry.what, entry.detail, entry.code, entry.status, entry.requestId].join(' ').toLowerCase()
  return typed.toLowerCase().split(/\s+/).every((word) => text.includes(word))
}
