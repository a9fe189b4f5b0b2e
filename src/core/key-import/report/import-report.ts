import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Contract } from '../../../contract/index.ts'
import type { ImportReport, ImportUndo } from '../../../contract/keys/import-reports.ts'
import { failure } from '../../failure.ts'
import type { FileTally } from '../classify/file-tally.ts'
import { shortLines } from './file-reports.ts'
import type { KeyImportContext } from '../context.ts'
import type { FoundImport, ImportRegistry } from '../import-registry.ts'
import { importFileNames } from '../batch-facts.ts'
import type { ConfirmedExport } from './confirmed-export.ts'
import { lineResultsOf, spoolOf } from '../spool/spool-files.ts'
import { reportCsv } from './report-csv.ts'
import { keyRecords } from '../key-records.ts'
import type { OutcomeCount } from '../key-records.ts'
import { readRejectedKeys, rejectedKeysText } from './rejected-keys.ts'
import { returnedKeys } from '../undo/returned-keys.ts'
import { undoStore } from '../undo-store.ts'
import type { UndoRow } from '../undo-store.ts'
import type { AccountImports } from '../upload/upload-run.ts'
import { readProblem } from '../../stored-problem.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/** The report of an import: every line by outcome, and the rejected and excluded keys. */
export function createImportReport(
  context: KeyImportContext,
  { find, sealing }: Pick<ImportRegistry, 'find' | 'sealing'>,
  remaining: (found: FoundImport) => ImportReport['remaining'],
  runner: { isQueued(accountId: string, row: UndoRow): boolean },
  confirmed: ConfirmedExport,
) {
  function report({ session, row }: FoundImport): ImportReport {
    const db = context.mirrors.database(session.accountId)
    const counts = keyRecords(db).countsOf(row.number)
    const known = new Map(
      session.uploads.fileReports(row.number).map((each) => [each.position, each]),
    )
    return {
      files: session.drafts.files(row.number).map(({ name, position, lines }) =>
        fileReport(
          name,
          lines,
          known.get(position),
          counts.filter(({ file }) => file === position),
        ),
      ),
      unaccepted: sumOf(counts.filter(({ fate }) => fate === 'refused' || fate === 'excluded')),
      excluded: sumOf(counts.filter(({ fate }) => fate === 'excluded')),
      hasLines: existsSync(join(session.folder(row.import_id), 'lines')),
      remaining: remaining({ session, row }),
      undos: undoStore(db)
        .ofImport(row.number)
        .map((each) =>
          viewUndo(session, each, (queued) => runner.isQueued(session.accountId, queued)),
        ),
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
          file,
          fileName: files.get(file) ?? '',
          line,
          offerName: names.get(offer ?? 0) ?? '',
        }))
    },
    async exportReport({ importId }: Inputs['exportReport']): Promise<Outputs['exportReport']> {
      const { session, row } = find(importId)
      const db = context.mirrors.database(session.accountId)
      return context.vault.holdUnlocked(async () => {
        const saved = lineResultsOf(sealing(session, row.import_id))
        if (!existsSync(saved.path))
          throw failure(
            'NOT_FOUND',
            'The results of single lines weren’t saved for this import.',
            'Imports of earlier versions only have totals.',
          )
        const text = await reportCsv(
          row.number,
          saved,
          importFileNames(db, row.number),
          keyRecords(db),
        )
        return {
          fileName: `import-${row.number}-report.csv`,
          base64: Buffer.from(`\ufeff${text}`).toString('base64'),
        }
      })
    },
    exportUnaccepted: (input: Inputs['exportUnaccepted']): Promise<Outputs['exportUnaccepted']> =>
      confirmed(input, 'unaccepted', ({ session, row }) => {
        const file = spoolOf(sealing(session, row.import_id), 'unaccepted')
        if (!existsSync(file.path))
          throw failure(
            'NOT_FOUND',
            'No keys of this import were rejected or excluded.',
            'There is nothing to export.',
          )
        const { text, table } = rejectedKeysText(readRejectedKeys(file))
        return {
          fileName: `import-${row.number}-rejected-keys.${table ? 'csv' : 'txt'}`,
          base64: Buffer.from(text).toString('base64'),
        }
      }),
  }
}

type StoredReport = { refused: number; cleaned: number; tally: string | null }

/** The lines of one file by outcome. Reports of earlier versions only have the rejected lines. */
function fileReport(
  name: string,
  read: number,
  stored: StoredReport | undefined,
  outcomes: readonly OutcomeCount[],
): ImportReport['files'][number] {
  // Trusts the JSON because this feature stored it itself.
  const tally = stored?.tally == null ? null : (JSON.parse(stored.tally) as FileTally)
  const count = (fate: OutcomeCount['fate']): number =>
    sumOf(outcomes.filter((each) => each.fate === fate))
  return {
    name,
    read,
    counts: tally,
    reasons: (tally?.reasons ?? []).map(({ runs, ...each }) => ({
      ...each,
      lines: shortLines(runs),
      isComplete: each.count === runs.reduce((sum, [from, to]) => sum + to - from + 1, 0),
    })),
    cleaned: stored?.cleaned ?? 0,
    refused: stored?.refused ?? 0,
    added: count('added'),
    duplicates: count('duplicate'),
    unsure: count('unsure'),
    notTaken: count('refused'),
    excluded: count('excluded'),
    notSent: tally === null ? 0 : Math.max(0, tally.ready - sumOf(outcomes)),
  }
}

const sumOf = (counts: readonly { count: number }[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0)

/** Shows an undo; it is stopped if its upload is. */
function viewUndo(
  session: AccountImports,
  row: UndoRow,
  isQueued: (row: UndoRow) => boolean,
): ImportUndo {
  const upload = row.toReturn === 0 ? undefined : session.drafts.find(row.returnId)
  const stuck =
    upload?.state === 'stopped' && upload.problem !== null ? readProblem(upload.problem) : null
  return {
    offerId: row.offerId,
    offerName: row.offerName,
    platform: row.platform,
    region: row.region,
    deliveryType: row.deliveryType,
    state: stuck !== null ? 'stopped' : isQueued(row) ? 'queued' : row.state,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    takenBack: row.takenBack,
    toReturn: row.toReturn,
    ...returnedKeys(session, row),
    withdrawalId: row.withdrawalId,
    problem: stuck ?? readProblem(row.problem),
  }
}
