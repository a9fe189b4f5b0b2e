import type { Database } from 'better-sqlite3'
import { keyRecords } from '../key-import/key-import.ts'
import type { ImportedBatch, KeyPlace } from '../key-import/key-import.ts'
import { salesOfKey } from '../sales/sales.ts'

const MOST_SQUARES = 1000
/** Lines read before other work gets its turn. */
const SLICE = 2000

/**
 * The state of a batch's keys in file order: `s` sold, `c` disputed, `g` withdrawn, `n` not sold.
 * Samples every n-th key of a batch with more than a thousand. `claimed` and `arrived`: file and line
 * of disputed keys, and of keys without a certain response that arrived.
 */
export async function squaresOf(
  db: Database,
  batch: ImportedBatch,
  { claimed, arrived }: { claimed: ReadonlySet<string>; arrived: ReadonlySet<string> },
  rest: () => Promise<void>,
): Promise<{ squares: string; keysPerSquare: number }> {
  const keysPerSquare = Math.max(1, Math.ceil(batch.keys / MOST_SQUARES))
  const isLeft = (each: KeyPlace): boolean =>
    each.gone === 1 || arrived.has(`${each.file}:${each.line}`)
  const chosen = [
    ...(await every(db, batch, 'present', { step: keysPerSquare, isShown: () => true, rest })),
    ...(batch.gone === 0 && arrived.size === 0
      ? []
      : await every(db, batch, 'left', { step: keysPerSquare, isShown: isLeft, rest })),
  ]
  const letter = ({ file, fingerprint, gone, line }: KeyPlace): string => {
    if (claimed.has(`${file}:${line}`)) return 'c'
    if (gone === 1) return 'g'
    return salesOfKey(db, fingerprint).some(
      ({ productId }) => productId === null || productId === batch.product,
    )
      ? 's'
      : 'n'
  }
  return {
    squares: chosen
      .toSorted((a, b) => a.file - b.file || a.line - b.line)
      .map(letter)
      .join(''),
    keysPerSquare,
  }
}

async function every(
  db: Database,
  batch: ImportedBatch,
  which: 'present' | 'left',
  {
    step,
    isShown,
    rest,
  }: { step: number; isShown: (place: KeyPlace) => boolean; rest: () => Promise<void> },
): Promise<KeyPlace[]> {
  const records = keyRecords(db)
  const chosen: KeyPlace[] = []
  let met = 0
  for (let place = { file: -1, line: 0 }; ;) {
    const slice = records.after(which, batch, place, SLICE)
    for (const each of slice) {
      if (each.fits === 1 && isShown(each) && met++ % step === 0) chosen.push(each)
    }
    const last = slice.at(-1)
    if (last === undefined || slice.length < SLICE) return chosen
    place = last
    await rest()
  }
}
