import type { KeyboardEvent } from 'react'

/** The meaning of a key press in a table. */
export type TableAction =
  | { kind: 'move'; by: number }
  | { kind: 'to'; end: 'first' | 'last' }
  | { kind: 'page'; direction: 1 | -1 }
  | { kind: 'open' }
  | { kind: 'check'; range: boolean }
  | { kind: 'check-all' }
  | { kind: 'back' }
  | { kind: 'edit'; typed: string }

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'
>

/**
 * Keys of a table: j k and arrows move, Enter opens, X or Space selects, a digit starts an edit,
 * Esc goes back one level. Null: not a table key.
 */
export function tableAction(press: KeyPress): TableAction | null {
  if (press.altKey) return null
  if (press.ctrlKey || press.metaKey)
    return press.key.toLowerCase() === 'a'
      ? { kind: 'check-all' }
      : press.key === 'Home'
        ? { kind: 'to', end: 'first' }
        : press.key === 'End'
          ? { kind: 'to', end: 'last' }
          : null
  switch (press.key) {
    case 'j':
    case 'ArrowDown':
      return { kind: 'move', by: 1 }
    case 'k':
    case 'ArrowUp':
      return { kind: 'move', by: -1 }
    case 'PageDown':
      return { kind: 'page', direction: 1 }
    case 'PageUp':
      return { kind: 'page', direction: -1 }
    case 'Home':
      return { kind: 'to', end: 'first' }
    case 'End':
      return { kind: 'to', end: 'last' }
    case 'Enter':
      // A held key opens a row, and doesn't act on it once it is open.
      return press.repeat ? null : { kind: 'open' }
    case 'x':
    case 'X':
      return press.repeat ? null : { kind: 'check', range: press.shiftKey }
    case 'Escape':
      return { kind: 'back' }
    default:
      return /^\d$/.test(press.key) ? { kind: 'edit', typed: press.key } : null
  }
}

/**
 * The nearest row that can be current, from `index` in the direction of the move, otherwise
 * backwards. Group headers can't be current.
 */
export function skipGroupHeaders(
  index: number,
  from: number,
  total: number,
  isHead: (index: number) => boolean,
): number {
  const step = index >= from ? 1 : -1
  for (const by of [step, -step]) {
    let at = index
    while (at >= 0 && at < total && isHead(at)) at += by
    if (at >= 0 && at < total) return at
  }
  return from
}

/**
 * The row after an action, within 0 to `total - 1`.
 *
 * @param current -1 when no row is active
 * @param page the number of visible rows
 * @param resumeAt the place of a row that left the list: a move down goes to the row that took its
 *   place
 */
export function nextRow(
  action: TableAction,
  current: number,
  total: number,
  page: number,
  resumeAt = -1,
): number {
  const last = Math.max(0, total - 1)
  if (action.kind === 'to') return action.end === 'first' ? 0 : last
  if (action.kind === 'page')
    return Math.min(last, Math.max(0, current + action.direction * Math.max(1, page - 1)))
  if (action.kind === 'move')
    return Math.min(
      last,
      Math.max(0, current >= 0 ? current + action.by : resumeAt + Math.min(0, action.by)),
    )
  return current
}
