import { createHash } from 'node:crypto'
import { canonicalJson } from '../../api/canonical-json.ts'
import type { CatalogueKey } from '../ports/catalogue.ts'

/** The filters a cursor is bound to: all except `includeRemoved` (Decision 11). */
export type CursorFilters = Readonly<
  Record<string, string | boolean | readonly string[] | undefined>
>

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, length)

const filterMark = (filters: CursorFilters): string => digest(canonicalJson(filters), 11)

/**
 * Encodes a position in the catalogue as an opaque cursor that is valid only with these filters and
 * in this history.
 */
export function encodeCursor(key: CatalogueKey, filters: CursorFilters, history: string): string {
  const place = `${filterMark(filters)}${history} ${key.updatedAt} ${key.id}`
  return Buffer.from(`${digest(place, 6)} ${place}`).toString('base64url')
}

/**
 * Decodes a cursor to its position, or explains why it is invalid. `filters` is null if they aren't
 * known.
 */
export function decodeCursor(
  cursor: string,
  filters: CursorFilters | null,
  history: string,
): { ok: true; key: CatalogueKey } | { ok: false; problem: string } {
  const text = Buffer.from(cursor, 'base64url').toString()
  const match = /^([\w-]{6}) (([\w-]{11})([\w-]*) (\d{1,15}) (.+))$/s.exec(text)
  const [, check, place = '', mark, issuedIn, updatedAt, id = ''] = match ?? []
  const isIntact =
    match && digest(place, 6) === check && Buffer.from(text).toString('base64url') === cursor
  if (!isIntact) return { ok: false, problem: "isn't a cursor of this service" }
  if (issuedIn !== history)
    return { ok: false, problem: 'this cursor belongs to an earlier state; start a full sync' }
  if (filters !== null && mark !== filterMark(filters))
    return { ok: false, problem: 'was issued with other filters' }
  return { ok: true, key: { updatedAt: Number(updatedAt), id } }
}
