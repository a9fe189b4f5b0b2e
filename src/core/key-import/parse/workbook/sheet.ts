import { damagedZip } from './zip.ts'
import { numberText } from './number-text.ts'
import type { NumberLook } from './number-text.ts'
import { decodeEscapes } from './parts.ts'
import { attribute } from './xml.ts'
import type { XmlSink } from './xml.ts'

/** The format allows no more rows; a list of keys never has more columns. */
const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 256

export type CellFacts = {
  shared: readonly string[]
  looks: readonly NumberLook[]
  from1904: boolean
}

/** The column number in a cell reference: `A7` 0, `AA7` 26. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference) {
    const code = letter.charCodeAt(0)
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
    if (column > 1e6) break
  }
  return column - 1
}

/**
 * Emits the non-empty rows of a sheet in order, with their numbers. A formula counts by its value
 * when the workbook was saved.
 */
export function sheetSink(
  facts: CellFacts,
  tell: (row: number, cells: readonly string[]) => void,
): Partial<XmlSink> {
  let row = 0
  let cells: string[] = []
  let column = -1
  let type = ''
  let style = 0
  let value: string | null = null
  let inValue = false
  let spoken = 0

  function cellText(): string {
    const text = value ?? ''
    switch (type) {
      case 's':
        return facts.shared[Number(text)] ?? ''
      case 'b':
        return text === '1' ? 'TRUE' : 'FALSE'
      case 'str':
      case 'inlineStr':
        return decodeEscapes(text)
      case 'e':
      case 'd':
        return text
      default:
        return numberText(text, facts.looks[style] ?? 'number', facts.from1904)
    }
  }
  return {
    open(name, attributes) {
      switch (name) {
        case 'row': {
          const number = Number(attribute(attributes, 'r') ?? row + 1)
          if (!Number.isInteger(number) || number <= row || number > MOST_ROWS) throw damagedZip()
          row = number
          cells = []
          column = -1
          return
        }
        case 'c': {
          const reference = attribute(attributes, 'r')
          column = reference === null ? column + 1 : columnOf(reference)
          type = attribute(attributes, 't') ?? 'n'
          style = Number(attribute(attributes, 's') ?? 0)
          value = null
          return
        }
        case 'rPh':
          spoken++
          return
        case 'v':
        case 't':
          inValue = spoken === 0
          return
      }
    },
    close(name) {
      switch (name) {
        case 'v':
        case 't':
          inValue = false
          return
        case 'rPh':
          spoken--
          return
        case 'c':
          if (value === null || column < 0 || column >= MOST_COLUMNS) return
          while (cells.length < column) cells.push('')
          cells[column] = cellText()
          return
        case 'row':
          if (cells.some((cell) => cell !== '')) tell(row, cells)
      }
    },
    text(part) {
      if (inValue) value = (value ?? '') + part
    },
  }
}
