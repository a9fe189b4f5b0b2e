import { existsSync } from 'node:fs'
import { openFrames, readFrames } from './frames.ts'
import type { FrameKey } from './frames.ts'

type SpoolFile = { path: string; key: FrameKey }

/** Keys of one request that the service did not take. */
export type Unaccepted = { request: number; offerId: string; keys: string[] }

/**
 * Keeps them, sealed, after their request is erased: they are on no offer, and a person exports
 * them to send them otherwise.
 */
export function keepUnaccepted({ path, key }: SpoolFile, groups: readonly Unaccepted[]): void {
  const frames = openFrames(path, key, false)
  for (const group of groups) frames.append(Buffer.from(JSON.stringify(group)))
  frames.finish()
}

/**
 * What was kept. A request that was noted twice, because a kill came between, counts once; one that
 * lost keys in several answers has them all.
 */
export function readUnaccepted({ path, key }: SpoolFile): Unaccepted[] {
  if (!existsSync(path)) return []
  const requests = new Map<number, Unaccepted>()
  for (const frame of readFrames(path, key)) {
    // A parsed edge: what this feature wrote itself.
    const group = JSON.parse(frame.toString('utf8')) as Unaccepted
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
 * A file to drop again: a key a line where all are of one offer, else a table with the offer beside
 * each key.
 */
export function unacceptedText(groups: readonly Unaccepted[]): { text: string; table: boolean } {
  const table = new Set(groups.map(({ offerId }) => offerId)).size > 1
  const lines = groups.flatMap(({ offerId, keys }) =>
    keys.map((key) => (table ? `${cell(offerId)},${cell(key)}` : key)),
  )
  return { text: `${table ? 'offer,key\n' : ''}${lines.join('\n')}\n`, table }
}
