import type { LineReason } from '../../../../contract/keys/import-records.ts'
import { trimEnds } from '../../../trim-ends.ts'
import { isConfusable } from './confusable.ts'

/** The longest key the service accepts, in characters (Decision 28). */
export const MAX_KEY_LENGTH = 4096

/** Why a line is never sent. */
export type Rejection = Extract<
  LineReason,
  | 'blank'
  | 'too-long'
  | 'control-characters'
  | 'invalid-encoding'
  | 'spreadsheet-damage'
  | 'spreadsheet-error'
  | 'missing-column'
  | 'no-picture'
  | 'picture-too-large'
>
/** The text removed around a key. */
export type Cleaning = Extract<
  LineReason,
  'spaces-removed' | 'invisible-removed' | 'quotes-removed'
>
/** What a person should check; the line is sent anyway. */
export type Doubt = Extract<LineReason, 'confusable' | 'looks-like-date'>

export type ClassifiedKey = {
  /**
   * The key as it is sent: surrounding characters added by people and programs are removed, the key
   * itself is unchanged.
   */
  key: string
  cleaned: readonly Cleaning[]
  doubt: Doubt | null
  refusal: Rejection | null
}

/**
 * Visible ASCII without a space or quote at either end: nothing to clean, and only length and
 * damage to check. Matches nearly every line.
 */
const plain = /^[!#-&(-<>-~](?:[ -~]*[!#-&(-~])?$/
/**
 * Invisible characters that never belong to a key: byte order marks, zero-width spaces, soft
 * hyphens, direction marks.
 */
const invisible = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** Spaces of every kind and joiners, which are removed at the start and end. */
const isOutside = (char: string): boolean =>
  /[\s\u00a0\u1680\u180e\u2000-\u200d\u202f\u205f\u3000]/.test(char)
/** Spaces inside that aren't plain spaces. */
const oddSpace = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f]/
const closing: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
}
/** Text that a spreadsheet was told not to convert: ="0123". */
const formulaText = /^="([^"]*)"$/
/** A number shortened by a spreadsheet: the last digits of the key are lost. */
const damage = /^[+-]?\d+(?:[.,]\d+)?E[+-]\d{1,3}$/i
/** A column too narrow to show its number, or the error of a formula: there was never a key. */
const cellError =
  /^(?:#{2,}|#(?:REF|N\/A|VALUE|NAME\?|DIV\/0|NUM|NULL|SPILL|CALC|NV|BEZUG|WERT|WEZWERT)[!?]?)$/i
const maybeDamage = /^[\d+-]/
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}'
/** What a spreadsheet turns 3-12, MAR5 or 2024/1/9 into. */
const dateForms = [
  `\\d{1,2}[-./ ]${month}(?:[-./ ]\\d{2,4})?`,
  `${month}[-./ ]\\d{2,4}`,
  '\\d{4}-\\d{2}-\\d{2}(?:[ T]\\d{2}:\\d{2}(?::\\d{2})?)?',
  '\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}',
]
const date = new RegExp(`^(?:${dateForms.join('|')})$`, 'i')

/**
 * Removes what surrounds a key: invisible characters, spaces and pairs of quotes at both ends.
 * Special spaces inside become plain ones. Reports what it removed.
 */
function cleanAway(text: string): { key: string; cleaned: Cleaning[] } {
  const cleaned: Cleaning[] = []
  const visible = text.replace(invisible, '')
  if (visible !== text) cleaned.push('invisible-removed')
  let key = trimEnds(visible, isOutside).replace(oddSpace, ' ')
  let spaces = key !== visible
  let quotes = false
  for (;;) {
    const formula = formulaText.exec(key)?.[1]
    const end = closing[key.charAt(0)]
    if (formula === undefined && (key.length < 2 || end === undefined || !key.endsWith(end))) break
    const inside = formula ?? key.slice(1, -1)
    key = trimEnds(inside, isOutside)
    quotes = true
    spaces ||= key !== inside
  }
  if (spaces) cleaned.push('spaces-removed')
  if (quotes) cleaned.push('quotes-removed')
  return { key, cleaned }
}

/** A text without surrounding characters. */
export const clean = (text: string): string => (plain.test(text) ? text : cleanAway(text).key)

const nothing: readonly Cleaning[] = []

/**
 * Classifies the text of one key. Pure; never throws. Platform shapes, duplicates and offers are
 * checked later.
 *
 * @param text one line, or one field of a table
 */
export function classifyKey(text: string): ClassifiedKey {
  const isPlain = plain.test(text)
  const { key, cleaned } = isPlain ? { key: text, cleaned: nothing } : cleanAway(text)
  if (key === '') return { key, cleaned: nothing, doubt: null, refusal: 'blank' }
  if (!isPlain && control.test(key))
    return { key, cleaned, doubt: null, refusal: 'control-characters' }
  if (key.length > MAX_KEY_LENGTH) return { key, cleaned, doubt: null, refusal: 'too-long' }
  if (maybeDamage.test(key) && damage.test(key))
    return { key, cleaned, doubt: null, refusal: 'spreadsheet-damage' }
  if (key.startsWith('#') && cellError.test(key))
    return { key, cleaned, doubt: null, refusal: 'spreadsheet-error' }
  const doubt =
    key.length <= 19 && date.test(key)
      ? 'looks-like-date'
      : !isPlain && isConfusable(key)
        ? 'confusable'
        : null
  return { key, cleaned, doubt, refusal: null }
}
