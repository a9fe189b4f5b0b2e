/** A longer text isn't shown: laying out its lines would block the page. */
const LONGEST_SHOWN = 5000

export interface TableText {
  /** Identifies the text, which is too long for a key. */
  number: number
  text: string
  /** The name of a text that isn't shown; null for one in the field. */
  name: string | null
}
let count = 0
export const noTable: TableText = { number: 0, text: '', name: null }

/** A table that was read from a file or pasted. */
export const tableOf = (text: string, name: string): TableText => ({
  number: (count += 1),
  text,
  name: text.length > LONGEST_SHOWN ? name : null,
})

/** A table that is typed in the field, however long it is. */
export const typedTable = (text: string): TableText => ({ ...tableOf(text, ''), name: null })

/** The same text, to be read again. */
export const readAgain = (table: TableText): TableText => ({ ...table, number: (count += 1) })

/**
 * The table after a long text was pasted into the field, at the selection: lines that were typed
 * before stay. Null for a text that the field takes itself.
 */
export function pastedInto(
  field: Pick<HTMLTextAreaElement, 'value' | 'selectionStart' | 'selectionEnd'>,
  text: string,
): TableText | null {
  if (text.length <= LONGEST_SHOWN) return null
  const { value, selectionStart, selectionEnd } = field
  return tableOf(
    `${value.slice(0, selectionStart)}${text}${value.slice(selectionEnd)}`,
    'Pasted table',
  )
}
