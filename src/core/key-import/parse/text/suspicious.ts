import { trimEnds } from '../../../trim-ends.ts'
import { anyShape, shapesOf } from './shapes.ts'

/** Why a line is set aside until a person includes it. */
export type Suspicion =
  | 'placeholder'
  | 'no-key'
  | 'text-beside-key'
  | 'code-beside-key'
  | 'marked-used'

export type Suspected = {
  /**
   * The key of the line, without its number or the words around it; the complete line if a PIN or a
   * second code is beside the key.
   */
  key: string
  suspicion: Suspicion | null
  /** Whether only a list number, a bullet or a label such as "Key:" was removed. */
  unnumbered: boolean
}

const words = (texts: readonly string[]): string => texts.join('|')
/** Cells of lists that say that there is no key, and texts of one repeated character. */
const placeholder = new RegExp(
  `^(?:${words([
    'n[/.]?a\\.?|none|null|nil|undefined|nan|tbd|tba|todo|unknown|missing|empty|void|blank|no ?keys?',
    'out of stock|sold(?: ?out)?|used|redeemed|invalid|expired|leer|fehlt|vide|vac[ií]o',
  ])}|(.)\\1*)$`,
  'iu',
)
/** Only punctuation, or a pattern such as XXXXX-XXXXX-XXXXX. */
const pattern = /^(?:[^\p{L}\p{N}]+|x{3,}(?:[-_ ]x{3,})+|(?:end|eof|ende|fin)\W*)$/iu
const usedWords = new RegExp(
  `(?<!\\p{L})(?:${words([
    'used|redeemed|sold|activated|invalid|expired|revoked|dead|benutzt|verwendet|eingel[oö]st|verkauft',
    'ung[uü]ltig|utilis[ée]e?|vendue?|usad[oa]|vendid[oa]|venduto|usat[oa]|u[zż]yty|sprzedany|gebruikt',
    'использован\\p{L}*|продан\\p{L}*|kullan[ıi]ld[ıi]',
  ])})(?!\\p{L})|已使用|已售|使用済`,
  'iu',
)
const ownerWords = '(?:(?:product|cd|game|steam|licen[cs]e|activation|serial)[ -]?)*'
const labelWord = new RegExp(`^${ownerWords}(?:(keys?|codes?|serials?)|no\\.?|nr\\.?|#)`, 'iu')
const numbering = /^(?:[#([]?\d{1,7}\s*[.):\]]+\s*|#\d{1,7}\s+|\d{1,7}\s+[-–—:|]\s+|[-–—*•·>]+\s+)/u
const codeWords = /^(?:pin|pins|pincode|passw(?:or)?d|passwort|pwd|contrase[nñ]a|senha|cvv|cvc)$/iu
const date = /^\d{1,4}([-./])\d{1,2}\1\d{1,4}$/
const separators = /[\s,;|()[\]{}<>"'=]+/u
const secret = /:\/\/|^[^\s:@]+@[^\s:]+:\S/

const isPunctuation = (char: string): boolean => !/[\p{L}\p{N}]/u.test(char)
const isNoWordChar = (char: string): boolean => !/\w/.test(char)
const isRule = (char: string): boolean => /[.:/\\*_-]/.test(char)
/** A heading between rulers: "--- Steam ---". */
const isRuled = (text: string): boolean =>
  text.length >= 6 && /^[-=*#]{3}/.test(text) && /[-=*#]{3}$/.test(text)

/**
 * A text without a label such as "Key:", "CD key 3 -" or "No. 7" at its start. Digits that no space
 * or mark separates from the key belong to the key.
 */
function withoutLabel(text: string): string {
  const word = labelWord.exec(text)
  if (word === null) return text
  const after = text.slice(word[0].length)
  const body = after.trimStart()
  const number = /^#?\d{0,6}/.exec(body)?.[0] ?? ''
  const tail = body.slice(number.length).trimStart()
  const marks = /^[:=.)-]+/.exec(tail)?.[0] ?? ''
  const rest = tail.slice(marks.length)
  if (/^\s/.test(rest)) return rest.trimStart()
  const hasSpace = number === '' ? body !== after : tail.length < body.length - number.length
  if (marks === '' && hasSpace) return tail
  if (/^[:=]/.test(marks) && word[1] !== undefined) return tail.slice(1).trimStart()
  return body === after ? text : body
}

/** A key with a platform's shape in groups, or of a length of at least twelve with digits. */
function isShaped(text: string): boolean {
  if ((shapesOf(text) & ~anyShape) === 0) return false
  return text.includes('-') ? /\d/.test(text) || text === text.toUpperCase() : isDense(text)
}
/** After a number or a label, the shortest platform shape is enough. */
const isShapedAfterLabel = (text: string): boolean =>
  isShaped(text) || ((shapesOf(text) & ~anyShape) !== 0 && /\d/.test(text))
/** A run of capitals and digits can't be a word. */
const isDense = (text: string): boolean =>
  text.length >= 15 && /\d/.test(text) && text === text.toUpperCase()

/**
 * Whether a text beside a key may be part of what the customer needs: a PIN, a password or another
 * code. A word, a date or a number of up to three digits isn't.
 */
const mayBeCode = (token: string): boolean =>
  codeWords.test(trimEnds(token, isNoWordChar)) ||
  (!date.test(token) && (token.match(/\d/g)?.length ?? 0) >= 4) ||
  (/\d/.test(token) && /\p{L}/u.test(token) && token.length >= 5)

/** Whether the text is words and short numbers only, as in a heading: "Steam CD Keys (30 pcs):". */
function isSentence(text: string): boolean {
  if (!/\s/.test(text)) return false
  let words = 0
  let spoken = 0
  for (const token of text.split(/\s+/u)) {
    const bare = trimEnds(token, isPunctuation)
    if (bare === '') continue
    words++
    if (/^\p{L}[\p{L}\p{M}’'&/-]*$/u.test(bare)) {
      if (/\p{Ll}{2,}|[\p{Lo}]{2,}/u.test(bare) && bare.length >= 3) spoken++
    } else if (!/^[\d.,/:%x€$£-]{1,10}$/u.test(bare) || /\d{5,}/.test(bare)) return false
  }
  return words >= 2 && spoken >= 1
}

const plainKey = (key: string): Suspected => ({ key, suspicion: null, unnumbered: false })

/**
 * Looks for texts that people leave between and beside the keys of a list. Only texts that are
 * clearly no key, or contain exactly one key of a platform's shape, are touched: anything else may
 * be a key of a format that Keydesk doesn't know.
 *
 * @param text one line or cell, without spaces and quotes around it
 */
export function suspect(text: string): Suspected {
  if (text.length <= 24 && (placeholder.test(text) || pattern.test(text)))
    return { key: text, suspicion: 'placeholder', unnumbered: false }
  if (text.length > 400 || secret.test(text)) return plainKey(text)
  if (text.length >= 12) {
    const rest = withoutLabel(text.replace(numbering, '')).trim()
    if (rest !== text && isShapedAfterLabel(rest))
      return { key: rest, suspicion: null, unnumbered: true }
    const tokens = text.split(separators).map((token) => trimEnds(token, isRule))
    const keys = tokens.filter(isShaped)
    const [key] = keys
    const others = tokens.filter((each) => each !== key && each !== '')
    if (keys.length === 1 && key !== undefined && others.length > 0) {
      if (others.some(mayBeCode))
        return { key: text, suspicion: 'code-beside-key', unnumbered: false }
      // Not of the text, because a group of the key can be such a word.
      const isMarked = usedWords.test(others.join(' '))
      return { key, suspicion: isMarked ? 'marked-used' : 'text-beside-key', unnumbered: false }
    }
    if (keys.length > 0) return plainKey(text)
  }
  return isSentence(text) || isRuled(text)
    ? { key: text, suspicion: 'no-key', unnumbered: false }
    : plainKey(text)
}
