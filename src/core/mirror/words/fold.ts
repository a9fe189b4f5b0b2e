/** Turns text into searchable words. The index and the query both use it, so they always agree. */

/** Letters that Unicode decomposition doesn't split, although people type them without the mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

const ROMAN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ii: '2',
    iii: '3',
    iv: '4',
    v: '5',
    vi: '6',
    vii: '7',
    viii: '8',
    ix: '9',
    x: '10',
    xi: '11',
    xii: '12',
    xiii: '13',
    xiv: '14',
    xv: '15',
    xvi: '16',
  }),
)

/**
 * Splits a text into words in order: lower case, without accents, marks or apostrophes
 * (`Wayfarer’s™` becomes `wayfarers`), with dotted abbreviations joined (`S.T.A.L.K.E.R.` becomes
 * `stalker`). Words consist of letters and digits only.
 */
export function wordsOf(text: string): string[] {
  // Fast path for most names: only English letters and no dots. It strips marks and dashes first
  // and gives the same result as the general path.
  const simple = /^[\0-\x7f]*$/.test(text)
    ? text
    : text.replace(/[–—“”]/g, ' ').replace(/[™®’‘]/g, '')
  if (/^[\0-\-/-\x7f]*$/.test(simple))
    return (
      simple
        .replace(/['`]/g, '')
        .toLowerCase()
        .match(/[a-z0-9]+/g) ?? []
    )
  const plain = text
    .replace(/[™®©℠]/g, '')
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`´]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/(?<![\p{L}\p{N}])(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{N}]))?/gu, (dotted) =>
      dotted.replaceAll('.', ''),
    )
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A Roman numeral from II to XVI (and V, X) in digits, or undefined for any other word. */
export const romanDigits = (word: string): string | undefined => ROMAN.get(word)

/** Abbreviations that also find a label of several words, such as `us` for `United States`. */
function initialsOf(label: string): string | undefined {
  const words = wordsOf(label)
  return words.length > 1 ? words.map((word) => word[0]).join('') : undefined
}

/**
 * A catalogue has few labels and many records with each, so cache the words of a limited number of
 * labels.
 */
const labelWords = new Map<string, readonly string[]>()
const MAX_CACHED_LABELS = 5000

function wordsOfLabel(label: string): readonly string[] {
  const known = labelWords.get(label)
  if (known !== undefined) return known
  const initials = initialsOf(label)
  const words = [...wordsOf(label), ...(initials === undefined ? [] : [initials])]
  if (labelWords.size < MAX_CACHED_LABELS) labelWords.set(label, words)
  return words
}

/**
 * Every word that finds a record: those of its name ({@link wordsOf}, numerals in digits too) and
 * of its labels (initials too), each once.
 */
export function searchWords(nameWords: readonly string[], labels: readonly string[]): string[] {
  const found = new Set<string>()
  for (const word of nameWords) {
    found.add(word)
    const digits = romanDigits(word)
    if (digits !== undefined) found.add(digits)
  }
  for (const label of labels) for (const word of wordsOfLabel(label)) found.add(word)
  return [...found]
}

/** Every word that finds a product or an offer of it. */
export const wordsOfNamed = (named: {
  name_key: string
  platform: string
  region: string
  product_type: string
  delivery_type: string
}): string[] =>
  searchWords(
    named.name_key.split(' ').filter((word) => word !== ''),
    [named.platform, named.region, named.product_type, named.delivery_type],
  )

/** The form used to sort and compare names: their words, separated by one space. */
export const sortKey = (name: string): string => wordsOf(name).join(' ')

/**
 * Whether a text contains all of a typed word, either literally (an id) or after folding (a name).
 */
export const containsWord = (text: string, word: string, parts: readonly string[]): boolean =>
  text.includes(word) || (parts.length > 0 && parts.every((part) => text.includes(part)))
