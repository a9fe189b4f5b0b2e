import { extname } from 'node:path'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { KeyImportContext } from '../context.ts'
import type { ImportRegistry } from '../import-registry.ts'
import { taskFor } from '../check/checks.ts'
import type { createChecks, OwnOffers } from '../check/checks.ts'
import { readFrames } from '../spool/frames.ts'
import { rejectedLinesOf } from '../spool/spool-files.ts'
import type { ConfirmedExport } from './confirmed-export.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/** Exports the rejected lines of an import as a file to correct and import again. */
export function createRejectedLinesExport(
  context: KeyImportContext,
  offers: OwnOffers,
  { sealing }: Pick<ImportRegistry, 'sealing'>,
  checks: Pick<ReturnType<typeof createChecks>, 'work'>,
  confirmed: ConfirmedExport,
) {
  return (input: Inputs['exportRefused']): Promise<Outputs['exportRefused']> =>
    confirmed(input, 'rejected', async ({ session, row }) => {
      const files = session.drafts.files(row.number).filter(({ state }) => state === 'checked')
      if (row.state === 'draft')
        await checks.work(taskFor(context, session, row.import_id, files, offers, 'refused'))
      const { path, key } = rejectedLinesOf(sealing(session, row.import_id))
      return {
        fileName: fileNameFor(files.map(({ name }) => name)),
        base64: Buffer.concat([...readFrames(path, key)]).toString('base64'),
      }
    })
}

function fileNameFor(names: readonly string[]): string {
  const only = names.length === 1 ? names[0] : undefined
  return only === undefined ? 'rejected-lines.txt' : exportedName(only, 'rejected')
}

/** "keys.csv" as "keys-rejected.csv". */
export function exportedName(name: string, what: string): string {
  const extension = extname(name)
  return `${name.slice(0, name.length - extension.length)}-${what}${textExtension(extension)}`
}

function textExtension(extension: string): string {
  // The lines of a workbook are its rows, with tabs between the cells.
  if (/^\.xls[xm]?$/i.test(extension)) return '.tsv'
  return extension === '' ? '.txt' : extension
}
