import type { LineReason } from '../../../contract/imports.ts'

/** Longest key the service takes, in characters (Decision 28). */
export const MAX_KEY_LENGTH = 4096

/** Why a line is never sent. */
export type Refusal = Extract<LineReason, 'blank' | 'too-long' | 'control-characters' | 'invalid-encoding' | 'spreadsheet-damage' | 'missing-column'>

export type Judged = {
  /** The key as it would be sent: what people and programs put around it is gone, the key itself is untouched. */
  key: string
  cleaned: boolean
  refusal: Refusal | null
}

/** Visible ASCII with no space or quote at either end: nothing to clean, nothing to refuse but length and damage. Nearly every line. */
const plain = /^[!#-&(-~](?:[ -~]*[!#-&(-~])?$/
/** Characters that show nothing and never belong to a key: byte order marks, zero-width spaces, soft hyphens, direction marks. */
const invisible = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** Spaces of every kind and joiners, at the ends. */
const outside = /^[\s\u00a0\u1680\u180e\u2000-\u200d\u202f\u205f\u3000]+|[\s\u00a0\u1680\u180e\u2000-\u200d\u202f\u205f\u3000]+$/g
/** Spaces inside that are no plain space. */
const oddSpace = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f]/
const closing: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '„': '“', '‘': '’', '«': '»' }
/** A number that a spreadsheet has shortened, a column too narrow to show, or a formula's error: the key is gone for good. */
const damage = /^(?:[+-]?\d+(?:[.,]\d+)?E[+-]\d{1,3}|#{2,}|#(?:REF|N\/A|VALUE|NAME\?|DIV\/0|NUM|NULL|SPILL|CALC)!?)$/i

/** Takes away what surrounds a key: invisible characters, spaces and pairs of quotes at the ends; odd spaces inside become plain. */
export function clean(text: string): string {
  let key = text.replace(invisible, '').replace(outside, '').replace(oddSpace, ' ')
  for (;;) {
    const end = closing[key.charAt(0)]
    if (key.length < 2 || end === undefined || !key.endsWith(end)) return key
    key = key.slice(1, -1).replace(outside, '')
  }
}

/**
 * Judges the text of one key: pure, never throws. Platform shapes, duplicates and offers are weighed later.
 *
 * @param text one line, or one field of a table
 */
export function judge(text: string): Judged {
  const key = plain.test(text) ? text : clean(text)
  const cleaned = key !== text
  if (key === '') return { key, cleaned: false, refusal: 'blank' }
  if (control.test(key)) return { key, cleaned, refusal: 'control-characters' }
  if (key.length > MAX_KEY_LENGTH) return { key, cleaned, refusal: 'too-long' }
  if (damage.test(key)) return { key, cleaned, refusal: 'spreadsheet-damage' }
  return { key, cleaned, refusal: null }
}
