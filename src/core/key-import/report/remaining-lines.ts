import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { Import } from '../../../contract/keys/import-records.ts'
import type { ImportReport } from '../../../contract/keys/import-reports.ts'
import { createSealedFacts } from '../check/checks.ts'
import { failure } from '../../failure.ts'
import type { FileRow } from '../draft-store.ts'
import type { FoundImport } from '../import-registry.ts'
import type { FileChoices } from '../view/file-view.ts'
import type { DraftContext } from '../receive/draft-context.ts'
import { noChoices } from '../receive/draft-context.ts'
import { MOST_CHUNK_BYTES, removeFiles } from '../receive/receiving.ts'
import { readFrames, scanFrames, valueLength } from '../spool/frames.ts'
import { remainingLinesOf, spoolOf } from '../spool/spool-files.ts'
import type { ConfirmedExport } from './confirmed-export.ts'
import { exportedName } from './rejected-lines-export.ts'
import type { FileTally } from '../classify/file-tally.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

const nothingRemains = () =>
  failure(
    'NOT_FOUND',
    'This import has no saved lines.',
    'They were already discarded, or every line was sent or rejected.',
    { effect: 'Nothing was changed.' },
  )

const sizeOf = (path: string): number => {
  const file = openSync(path, 'r')
  try {
    return scanFrames(file).frames.reduce((sum, frame) => sum + valueLength(frame), 0)
  } finally {
    closeSync(file)
  }
}

/**
 * The lines of an import that were neither sent nor rejected: they had no offer or were set aside.
 * They stay sealed until a person discards them, and can be exported or checked again as a draft.
 */
export function createRemainingLines(
  { context, book, checks }: DraftContext,
  confirmed: ConfirmedExport,
) {
  const { changed, find, receiving, sealing, view } = book

  /** The files of an import with such lines. */
  const filesOf = ({ session, row }: FoundImport): { file: FileRow; path: string }[] =>
    session.drafts.files(row.number).flatMap((file) => {
      const path = join(session.folder(row.import_id), `${file.file_id}.left`)
      return existsSync(path) ? [{ file, path }] : []
    })

  function assertRemains(found: FoundImport): { file: FileRow; path: string }[] {
    const files = filesOf(found)
    if (files.length === 0) throw nothingRemains()
    return files
  }

  /** Copies the saved lines of a file into a draft, with the settings the file was read with. */
  function copy(
    found: FoundImport,
    draft: FoundImport,
    { file, path }: { file: FileRow; path: string },
  ): void {
    const { session, row } = found
    const facts = createSealedFacts(context, session.accountId)
    const read = facts.result(file)?.read
    const before = facts.choices(file) ?? noChoices
    const fileId = context.random.id()
    const size = sizeOf(path)
    const fixed: FileChoices['fixed'] = {}
    if (read !== undefined) {
      const { form, delimiter, encoding, header, keyColumn, offerColumn } = read.settings
      const isTable = form === 'table'
      // The export starts with the header of a table, without the lines above it.
      Object.assign(fixed, { form, delimiter, encoding, keyColumn, offerColumn })
      for (const column of ['costColumn', 'currencyColumn', 'supplierColumn'] as const)
        fixed[column] = read.settings[column] ?? null
      fixed.header = isTable && header
    }
    session.drafts.addFile({
      fileId,
      number: draft.row.number,
      name: exportedName(file.name, 'remaining'),
      size,
      offerId: file.offer_id,
      choices: facts.sealChoices(fileId, {
        ...noChoices,
        fixed,
        chosen: before.chosen.filter(({ offerId }) => offerId !== null),
      }),
    })
    const to = spoolOf(sealing(draft.session, draft.row.import_id), fileId)
    const { key } = remainingLinesOf(sealing(session, row.import_id), file.file_id)
    let offset = 0
    for (const part of readFrames(path, key))
      for (let at = 0; at < part.length; at += MOST_CHUNK_BYTES)
        offset = receiving.write(
          fileId,
          to.path,
          to.key,
          offset,
          part.subarray(at, at + MOST_CHUNK_BYTES),
        )
    receiving.finish(fileId)
    session.drafts.setFileState(fileId, 'checking', offset, null)
  }

  return {
    /** How many lines are saved, and the import that continues with them. */
    remaining(found: FoundImport): ImportReport['remaining'] {
      const { session, row } = found
      const saved = new Set(filesOf(found).map(({ file }) => file.position))
      const lines = session.uploads
        .fileReports(row.number)
        .filter(({ position, tally }) => saved.has(position) && tally !== null)
        // Trusts the JSON because this feature stored it itself.
        .map(({ tally }) => JSON.parse(tally ?? '') as FileTally & { remaining?: number })
        .reduce((sum, { remaining = 0 }) => sum + remaining, 0)
      const next = session.uploads.continuation(row.number)
      const draft = next === undefined ? undefined : session.drafts.find(next)
      return {
        lines,
        continuedBy:
          draft === undefined
            ? null
            : { importId: draft.import_id, number: draft.number, isDraft: draft.state === 'draft' },
      }
    },
    /** Checks the lines again as a draft, or returns the draft that already has them. */
    async continueImport({ importId }: Inputs['continueImport']): Promise<Import> {
      const found = find(importId)
      const { session, row } = found
      const next = session.uploads.continuation(row.number)
      if (next !== undefined && session.drafts.find(next) !== undefined) return view(find(next))
      const files = assertRemains(found)
      return context.vault.holdUnlocked(async () => {
        const draftId = context.random.id()
        session.drafts.add(draftId, context.clock.now())
        const draft = find(draftId)
        for (const file of files) copy(found, draft, file)
        session.uploads.continueWith(row.number, draftId)
        await checks.check(session.accountId, draftId)
        changed(session.accountId, importId)
        return view(draft)
      })
    },
    /** The lines as files, byte for byte, each with the header of its file. */
    exportRemaining: (input: Inputs['exportRemaining']): Promise<Outputs['exportRemaining']> =>
      confirmed(input, 'remaining', (found) =>
        assertRemains(found).map(({ file, path }) => {
          const { key } = remainingLinesOf(sealing(found.session, input.importId), file.file_id)
          return {
            fileName: exportedName(file.name, 'remaining'),
            base64: Buffer.concat([...readFrames(path, key)]).toString('base64'),
          }
        }),
      ),
    async discardRemaining({ importId }: Inputs['discardRemaining']): Promise<void> {
      const found = find(importId)
      await removeFiles(assertRemains(found).map(({ path }) => path))
      changed(found.session.accountId, importId)
    },
  }
}
