import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { Import } from '../../../contract/keys/import-records.ts'
import { Failure, failure } from '../../failure.ts'
import type { FoundImport } from '../import-registry.ts'
import { createSealedFacts } from '../check/checks.ts'
import { findChecked, noChoices } from './draft-context.ts'
import type { DraftContext } from './draft-context.ts'
import { readFrames } from '../spool/frames.ts'
import { spoolOf } from '../spool/spool-files.ts'
import { MOST_CHUNK_BYTES } from './receiving.ts'
import { changedWhileRead, diskFull, notReadable } from '../parse/unreadable.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/**
 * Size limit of a file: its lines are compared with each other, and its sealed copy needs the same
 * disk space.
 */
const MOST_FILE_BYTES = 2 * 1024 * 1024 * 1024

/** Adds, receives and removes the files of a draft. */
export function createDraftFiles(draft: DraftContext) {
  const { context, book, checks } = draft
  const { changed, eraseFiles, findDraft, findFile, receiving, sealing, view } = book

  /**
   * Writes bytes to the spool. If the disk is full, the file shows the problem and stays ready to
   * receive the same bytes.
   */
  function spool(
    found: FoundImport,
    fileId: string,
    offset: number,
    bytes: Buffer,
    last: boolean,
  ): number {
    const { session, row } = found
    const { path, key } = spoolOf(sealing(session, row.import_id), fileId)
    try {
      const received = receiving.write(fileId, path, key, offset, bytes)
      if (last) receiving.finish(fileId)
      if (findFile({ importId: row.import_id, fileId }, found).problem !== null)
        session.drafts.setFileState(fileId, 'receiving', received, null)
      return received
    } catch (error) {
      if (!context.diskSpace.isCausedBy(error)) throw error
      session.drafts.setFileState(fileId, 'receiving', offset, diskFull)
      changed(session.accountId, row.import_id)
      throw new Failure(diskFull)
    }
  }

  return {
    /**
     * Throws Failure `VAULT_LOCKED` or `VAULT_UNSET` before the first byte, because keys are only
     * accepted if they can be stored encrypted.
     */
    addFile({
      importId,
      name,
      size,
      offerId = null,
      pictures = null,
    }: Inputs['addFile']): Outputs['addFile'] {
      const { session, row } = findDraft(importId)
      context.vault.assertUnlocked()
      if (size > MOST_FILE_BYTES) {
        throw failure(
          'FILE_TOO_LARGE',
          `${baseName(name)} is larger than 2 GB.`,
          'Split it into smaller files and add them one by one.',
          { effect: 'This file was skipped. Your other files are unaffected.' },
        )
      }
      if (pictures !== null && pictures.reduce((sum, picture) => sum + picture.size, 0) !== size)
        throw failure(
          'INVALID_INPUT',
          'The sizes of the pictures don’t add up.',
          'Add the pictures again.',
        )
      const fileId = context.random.id()
      const choices =
        pictures === null
          ? null
          : createSealedFacts(context, session.accountId).sealChoices(fileId, {
              ...noChoices,
              pictures: pictures.map((picture) => ({
                name: baseName(picture.name),
                size: picture.size,
              })),
            })
      session.drafts.addFile({
        fileId,
        number: row.number,
        name: baseName(name),
        size,
        offerId,
        choices,
      })
      changed(session.accountId, importId)
      return { fileId }
    },
    /** Throws Failure `DISK_FULL` if the disk has no space; the same bytes can be sent again. */
    writeFile({
      importId,
      fileId,
      offset,
      base64,
      last,
    }: Inputs['writeFile']): Outputs['writeFile'] {
      const found = findDraft(importId)
      const { session } = found
      const file = findFile({ importId, fileId }, found)
      if (file.state !== 'receiving') {
        if (last && file.state !== 'failed') return { received: file.received }
        throw failure(
          'FILE_COMPLETE',
          'This file has already been received.',
          'To replace it, remove it and add it again.',
        )
      }
      const bytes = Buffer.from(base64, 'base64')
      if (bytes.length > MOST_CHUNK_BYTES)
        throw failure(
          'CHUNK_TOO_LONG',
          'Send at most 1 MiB at a time.',
          'Send the file in smaller parts.',
        )
      const received = spool(found, fileId, offset, bytes, last)
      if (last) {
        const whole = received === file.size
        session.drafts.setFileState(
          fileId,
          whole ? 'checking' : 'failed',
          received,
          whole ? null : changedWhileRead,
        )
        if (whole) void checks.check(session.accountId, importId)
      }
      changed(session.accountId, importId)
      return { received }
    },
    /** Deletes the received bytes and keeps the file in the list with the reason. */
    async failFile({ importId, fileId, reason }: Inputs['failFile']): Promise<Import> {
      const found = findDraft(importId)
      const file = findFile({ importId, fileId }, found)
      if (file.state === 'receiving') {
        receiving.close(fileId)
        found.session.drafts.setFileState(
          fileId,
          'failed',
          file.received,
          reason === 'changed' ? changedWhileRead : notReadable,
        )
        await eraseFiles(found.session, importId, [file])
        changed(found.session.accountId, importId)
      }
      return view(found)
    },
    readAgain({ importId, fileId }: Inputs['readAgain']): Import {
      const found = findDraft(importId)
      const file = findFile({ importId, fileId }, found)
      context.vault.assertUnlocked()
      if (file.state === 'receiving' || file.received !== file.size)
        throw failure('FILE_INCOMPLETE', 'This file is incomplete.', 'Remove it and add it again.')
      const facts = createSealedFacts(context, found.session.accountId)
      found.session.drafts.choose(
        fileId,
        facts.sealChoices(fileId, facts.choices(file) ?? noChoices),
        file.offer_id,
        true,
      )
      checks.interrupt(importId)
      void checks.check(found.session.accountId, importId)
      changed(found.session.accountId, importId)
      return view(found)
    },
    /**
     * Adds the sheet as a separate file with its own copy in the spool, so that each can be removed
     * separately.
     */
    addSheet({ importId, fileId, sheet }: Inputs['addSheet']): Import {
      const { found, session, file, facts } = findChecked(draft, { importId, fileId })
      const name = facts.result(file)?.read.sheets[sheet]?.name
      if (name === undefined)
        throw failure(
          'NOT_FOUND',
          'This workbook has no such sheet.',
          'Choose a sheet from its list.',
        )
      const copyId = context.random.id()
      const choices = facts.sealChoices(copyId, { ...noChoices, fixed: { sheet } })
      session.drafts.addFile({
        fileId: copyId,
        number: found.row.number,
        name: file.name,
        size: file.size,
        offerId: file.offer_id,
        choices,
      })
      const source = spoolOf(sealing(session, importId), fileId)
      let offset = 0
      for (const part of readFrames(source.path, source.key))
        offset = spool(found, copyId, offset, part, false)
      receiving.finish(copyId)
      session.drafts.setFileState(copyId, 'checking', offset, null)
      void checks.check(session.accountId, importId)
      changed(session.accountId, importId)
      return view(found)
    },
    async removeFile({ importId, fileId }: Inputs['removeFile']): Promise<Import> {
      const found = findDraft(importId)
      const file = findFile({ importId, fileId }, found)
      if (file.state === 'checking') checks.interrupt(importId)
      receiving.close(fileId)
      found.session.drafts.removeFile(fileId)
      await eraseFiles(found.session, importId, [file])
      await checks.check(found.session.accountId, importId)
      // The worker may have written once more before it stopped.
      await eraseFiles(found.session, importId, [file])
      return view(found)
    },
  }
}

const baseName = (name: string): string => name.split(/[\\/]/).at(-1) ?? name
