import { existsSync } from 'node:fs'
import { openFrames, readFrames } from '../spool/frames.ts'
import type { FrameKey } from '../spool/frames.ts'

type SpoolFile = { path: string; key: FrameKey }

/** Keys of one request that the service rejected or the user excluded. */
export type RejectedKeys = { request: number; offerId: string; keys: string[] }

/**
 * Saves rejected or excluded keys, sealed, before their request is erased, so that the user can
 * export them. Excluded keys may be on their offer.
 */
export function saveRejectedKeys({ path, key }: SpoolFile, groups: readonly RejectedKeys[]): void {
  const frames = openFrames(path, key, false)
  for (const group of groups) frames.append(Buffer.from(JSON.stringify(group)))
  frames.finish()
}

/**
 * The saved keys. A request recorded twice because of a kill counts once; a request with keys
 * rejected in several responses has all of them.
 */
export function readRejectedKeys({ path, key }: SpoolFile): RejectedKeys[] {
  if (!existsSync(path)) return []
  const requests = new Map<number, RejectedKeys>()
  for (const frame of readFrames(path, key)) {
    // Trusts the JSON because this feature wrote it itself.
    const group = JSON.parse(frame.toString('utf8')) as RejectedKeys
    const before = requests.get(group.request)
    requests.set(group.request, {
      ...group,
      keys: [...new Set([...(before?.keys ?? []), ...group.keys])],
    })
  }
  return [...requests.values()]
}

const cell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * A file that can be imported again: one key per line if all are of one offer, otherwise a table
 * with an offer column.
 */
export function rejectedKeysText(groups: readonly RejectedKeys[]): {
  text: string
  table: boolean
} {
  const table = new Set(groups.map(({ offerId }) => offerId)).size > 1
  const lines = groups.flatMap(({ offerId, keys }) =>
    keys.map((key) => (table ? `${cell(offerId)},${cell(key)}` : key)),
  )
  return { text: `${table ? 'offer,key\n' : ''}${lines.join('\n')}\n`, table }
}
