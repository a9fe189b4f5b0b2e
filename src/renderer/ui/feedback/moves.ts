import type { ReactNode } from 'react'
import { cents } from '../../../../server/api/money.ts'
import { percentChange } from '../percent-change.ts'

/** A sentence of a dialog that says something else now; null: it is new, or no longer true. */
export interface Move {
  from: string | null
  to: string | null
  /** The change of the first amount or count that differs; null without one. */
  percent: string | null
}

/** The text of an element, as far as the page wrote it itself. */
export function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (typeof node !== 'object' || node === null || !('props' in node)) return ''
  const { props } = node
  return typeof props === 'object' && props !== null && 'children' in props
    ? // The children of any element of the page can be rendered.
      textOf(props.children as ReactNode)
    : ''
}

const numbersIn = (text: string): number[] =>
  [...text.matchAll(/−?\d[\d,]*(?:\.\d+)?/g)].map(([number]) =>
    Number(number.replaceAll(',', '').replace('−', '-')),
  )

/** The change of the first number that differs between two texts with equally many numbers. */
function percentBetween(from: string, to: string): string | null {
  const before = numbersIn(from)
  const now = numbersIn(to)
  const at = before.findIndex((number, index) => number !== now[index])
  const [was, is] = [before[at], now[at]]
  if (before.length !== now.length || was === undefined || is === undefined || was <= 0) return null
  return percentChange(cents(Math.round(was * 100)), cents(Math.round(is * 100)))
}

const moveOf = (from: string | null, to: string | null): Move => ({
  from,
  to,
  percent: from === null || to === null ? null : percentBetween(from, to),
})

/** A statement about one record; the subject identifies the record. */
export interface Said {
  subject: string
  text: string
}

/** The records about which something else is said now, each with its own old and new text. */
export function movesOfRecords(shown: readonly Said[], now: readonly Said[]): Move[] {
  const known = new Set(shown.map(({ subject }) => subject))
  const texts = new Map(now.map(({ subject, text }) => [subject, text]))
  return [
    ...shown
      .filter(({ subject, text }) => texts.get(subject) !== text)
      .map(({ subject, text }) => moveOf(text, texts.get(subject) ?? null)),
    ...now.filter(({ subject }) => !known.has(subject)).map(({ text }) => moveOf(null, text)),
  ]
}

/** The sentences that differ between two readings of a dialog, each with what replaces it. */
export function movesBetween(shown: readonly string[], now: readonly string[]): Move[] {
  const gone = shown.filter((text) => !now.includes(text))
  const added = now.filter((text) => !shown.includes(text))
  return Array.from({ length: Math.max(gone.length, added.length) }, (_, at) => {
    return moveOf(gone[at] ?? null, added[at] ?? null)
  })
}
