import { createHash } from 'node:crypto'
import { canonicalJson } from '../api/canonical-json.ts'
import type { CatalogueKey } from './ports/catalogue.ts'

/** What a cursor is bound to: every filter but `includeRemoved` (Decision 11). */
export type CursorFilters = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

function filterMark(filters: CursorFilters): string {
  return createHash('sha256').update(canonicalJson(filters)).digest('base64url').slice(0, 11)
}

/** An opaque place in the catalogue, good for these filters alone. */
export function encodeCursor(key: CatalogueKey, filters: CursorFilters): string {
  return Buffer.from(`1 ${filterMark(filters)} ${key.updatedAt} ${key.id}`).toString('base64url')
}

/** The place a cursor stands for, or why it stands for none. */
export function decodeCursor(
  cursor: string,
  filters: CursorFilters,
): { ok: true; key: CatalogueKey } | { ok: false; problem: string } {
  const bytes = Buffer.from(cursor, 'base64url')
  const match = /^1 ([\w-]{11}) (\d{1,15}) (.+)$/s.exec(bytes.toString())
  if (!match || bytes.toString('base64url') !== cursor) return { ok: false, problem: 'is not a cursor of this service' }
  const [, mark, updatedAt, id = ''] = match
  if (mark !== filterMark(filters)) return { ok: false, problem: 'was issued with other filters' }
  return { ok: true, key: { updatedAt: Number(updatedAt), id } }
}
