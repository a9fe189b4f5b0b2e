import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import { existsSync } from 'node:fs'
import type { Contract } from '../../../contract/index.ts'
import type { ImportReport, ImportUndo } from '../../../contract/keys/import-records.ts'
import { failure } from '../../failure.ts'
import type { FileTally } from '../classify/file-tally.ts'
import { shortLines } from './file-reports.ts'
import type { KeyImportContext } from '../context.ts'
import type { FoundImport, ImportRegistry } from '../import-registry.ts'
import { importFileNames } from '../batch-facts.ts'
import { spoolOf } from '../spool/spool-files.ts'
import { keyRecords } from '../key-records.ts'
import type { OutcomeCount } from '../key-records.ts'
import { readRejectedKeys, rejectedKeysText } from './rejected-keys.ts'
import { undoStore } from '../undo-store.ts'
import type { UndoRow } from '../undo-store.ts'
import type { AccountImports } from '../upload/upload-run.ts'
import { readProblem } from '../../stored-problem.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/** The report of an import: every line by outcome, and the keys the service rejected. */
export function createImportReport(
  context: KeyImportContext,
  { find, sealing }: Pick<ImportRegistry, 'find' | 'sealing'>,
) {
  function report({ session, row }: FoundImport): ImportReport {
    const db = context.mirrors.database(session.accountId)
    const counts = keyRecords(db).countsOf(row.number)
    const known = new Map(
      session.uploads.fileReports(row.number).map((each) => [each.position, each]),
    )
    const count = (position: number, fate: OutcomeCount['fate']): number =>
      sumOf(counts.filter((each) => each.file === position && each.fate === fate))
    return {
      files: session.drafts.files(row.number).map(({ name, position, lines }) => ({
        name,
        read: lines,
        cleaned: known.get(position)?.cleaned ?? 0,
        refused: known.get(position)?.refused ?? 0,
        refusedLines: refusedLines(known.get(position)),
        added: count(position, 'added'),
        duplicates: count(position, 'duplicate'),
        unsure: count(position, 'unsure'),
        notTaken: count(position, 'refused'),
      })),
      unaccepted: sumOf(counts.filter(({ fate }) => fate === 'refused')),
      undos: undoStore(db)
        .ofImport(row.number)
        .map((each) => viewUndo(session, each)),
    }
  }

  return {
    report,
    outcomes({ importId, fate, offset = 0, limit = 100 }: Inputs['outcomes']): Outputs['outcomes'] {
      const { session, row } = find(importId)
      const db = context.mirrors.database(session.accountId)
      const files = importFileNames(db, row.number)
      const names = new Map(
        session.uploads.offers(row.number).map(({ position, name }) => [position, name]),
      )
      return keyRecords(db)
        .lines(row.number, fate, { offset, limit })
        .map(({ file, line, offer }) => ({
          fileName: files.get(file) ?? '',
          line,
          offerName: names.get(offer ?? 0) ?? '',
        }))
    },
    async exportUnaccepted({
      importId,
    }: Inputs['exportUnaccepted']): Promise<Outputs['exportUnaccepted']> {
      const { session, row } = find(importId)
      return context.vault.holdUnlocked(async () => {
        const file = spoolOf(sealing(session, row.import_id), 'unaccepted')
        if (!existsSync(file.path))
          throw failure(
            'NOT_FOUND',
            'The service accepted every key of this import.',
            'There is nothing to export.',
          )
        const { text, table } = rejectedKeysText(readRejectedKeys(file))
        return {
          fileName: `import ${row.number} rejected keys.${table ? 'csv' : 'txt'}`,
          base64: Buffer.from(text).toString('base64'),
        }
      })
    },
  }
}

/** The first rejected lines of a file; earlier reports have them as text. */
function refusedLines(report: { lines: string; tally: string | null } | undefined): string {
  if (report === undefined || report.tally === null) return report?.lines ?? ''
  // Trusts the JSON because this feature stored it itself.
  const { reasons } = JSON.parse(report.tally) as FileTally
  return shortLines(
    reasons
      .flatMap(({ fate, runs }) => (fate === 'refused' ? runs : []))
      .toSorted(([a], [b]) => a - b),
  )
}

const sumOf = (counts: readonly { count: number }[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0)

/** Shows an undo; it is stopped if its upload is. */
function viewUndo(session: AccountImports, row: UndoRow): ImportUndo {
  const upload = row.toReturn === 0 ? undefined : session.drafts.find(row.returnId)
  const totals = upload === undefined ? [] : session.uploads.offers(upload.number)
  const stuck =
    upload?.state === 'stopped' && upload.problem !== null ? readProblem(upload.problem) : null
  return {
    offerId: row.offerId,
    offerName: row.offerName,
    state: stuck === null ? row.state : 'stopped',
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    takenBack: row.takenBack,
    toReturn: row.toReturn,
    returned: totals.reduce((sum, { added, duplicates }) => sum + added + duplicates, 0),
    withdrawalId: row.withdrawalId,
    problem: stuck ?? readProblem(row.problem),
  }
}
