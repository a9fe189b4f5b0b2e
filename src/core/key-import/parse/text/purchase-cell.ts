import type { Cents } from '../../../../../server/api/money.ts'
import { parseEuros } from '../../../../../server/api/money.ts'
import { isPossibleKey } from '../detect/key-look.ts'
import { clean } from './classify-key.ts'

/** The highest cost that an offer can have, as in its terms. */
const MOST_CENTS = 10_000_000
const MOST_CHARACTERS = 80

/** The cost of a key. `unreadable`: the cell isn't an amount in EUR. */
export type Cost = { costCents: Cents | null; unreadable: boolean }

const none: Cost = { costCents: null, unreadable: false }
const unreadable: Cost = { costCents: null, unreadable: true }

/**
 * Reads the purchase price of a key in EUR. Three digits after a single comma or point could be
 * decimals or thousands, so such an amount isn't read; nor is one in another currency.
 *
 * @param currency the cell of the currency column; empty without one
 */
export function readCost(cell: string, currency: string): Cost {
  const text = clean(cell)
  if (text === '') return none
  const unit = clean(currency)
  if (unit !== '' && !/^(?:eur|euros?|€)$/i.test(unit)) return unreadable
  const bare = text.replace(/€|EUR/i, '').trim()
  if (/^\d{1,3}[.,]\d{3}$/.test(bare)) return unreadable
  // 1.234,50 as most of Europe writes it.
  const isEuropean = /^\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(bare)
  const parsed = parseEuros(isEuropean ? bare.replaceAll('.', '').replace(',', '.') : bare)
  return parsed.ok && parsed.cents >= 0 && parsed.cents <= MOST_CENTS
    ? { costCents: parsed.cents, unreadable: false }
    : unreadable
}

/** The name of a supplier. A wrong column could contain keys, which aren't stored as a name. */
export function readSupplier(cell: string): string {
  const text = clean(cell).slice(0, MOST_CHARACTERS)
  return isPossibleKey(text) ? '' : text
}
