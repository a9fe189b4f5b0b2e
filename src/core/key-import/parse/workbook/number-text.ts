import { DAY_MS } from '../../../../../server/api/time.ts'

/** The properties of a number format that matter for keys: dates, and zero padding. */
export type NumberLook = 'number' | 'date' | { /** Minimum number of digits. */ zeros: number }

/** Parses a number format (ECMA-376 part 1, section 18.8.30). `code` null: a built-in format. */
export function lookOf(id: number, code: string | null): NumberLook {
  if (code === null) return (id >= 14 && id <= 22) || (id >= 45 && id <= 47) ? 'date' : 'number'
  const bare = code.replace(/"[^"]*"?|\\.|\[[^\]]*\]?/g, '')
  if (/^0{2,}$/.test(bare)) return { zeros: bare.length }
  return /[dmyhs]/i.test(bare) && !/[#0?]/.test(bare.replace(/\.0+/g, '')) ? 'date' : 'number'
}

/** Spreadsheets store no more digits than this. */
const KEPT = 1e15

function dateText(serial: number, from1904: boolean): string {
  const days = from1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  const moment = new Date(Date.UTC(1899, 11, 30) + Math.round(days * DAY_MS))
  if (Number.isNaN(moment.getTime())) return String(serial)
  const text = moment.toISOString()
  return Number.isInteger(serial) ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

/**
 * A numeric cell as text: an integer if its digits are exact, `1.23e+15` if the spreadsheet has
 * lost some of them.
 */
export function numberText(value: string, look: NumberLook, from1904: boolean): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (look === 'date' && number >= 0 && number < 2_958_466) return dateText(number, from1904)
  if (Math.abs(number) >= KEPT) return number.toExponential()
  const text = Number.isInteger(number) ? number.toFixed(0) : value
  return typeof look === 'object' && number >= 0 ? text.padStart(look.zeros, '0') : text
}
