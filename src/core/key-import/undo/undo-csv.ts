import { csvText } from '../../../contract/csv.ts'
import type { ImportUndo } from '../../../contract/keys/import-reports.ts'

const titles = [
  'Offer',
  'Platform',
  'Region',
  'Delivery',
  'Offer id',
  'Result',
  'Keys in the vault',
  'Other keys uploaded again',
  'Problem',
]

const result = ({ state }: ImportUndo): string =>
  state === 'done' ? 'Undone' : state === 'stopped' ? 'Stopped' : 'Not finished'

/** The undo of an import, one line per offer; a cell that looks like a formula is neutralized. */
export const undoCsv = (undos: readonly ImportUndo[]): string =>
  csvText([
    titles,
    ...undos.map((undo) => [
      undo.offerName,
      undo.platform,
      undo.region,
      undo.deliveryType,
      undo.offerId,
      result(undo),
      undo.takenBack,
      undo.returned,
      undo.problem?.what ?? '',
    ]),
  ])
