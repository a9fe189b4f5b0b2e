import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import type { FileSettings, Import } from '../../contract/imports.ts'
import type { CoreContext } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import type { Found, ImportBook } from './book.ts'
import { createSealedFacts } from './checks.ts'
import type { createChecks, OwnOffers } from './checks.ts'
import { showLines } from './first-lines.ts'
import { readFrames } from './frames.ts'
import { checkedOf, fatesPath, spoolOf } from './key-check-task.ts'
import { MOST_CHUNK_BYTES, readFates, removeFolder } from './receiving.ts'
import type { FileChoices } from './file-view.ts'
import { createMissing, findMissing } from './missing-offers.ts'
import type { OfferCreation, ProductSearch } from './missing-offers.ts'
import { createProfiles } from './profiles.ts'
import { changedWhileRead, diskFull, notReadable } from './unreadable.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/**
 * Size limit of a file: its lines are compared with each other, and its sealed copy needs the same
 * disk space.
 */
const MOST_FILE_BYTES = 2 * 1024 * 1024 * 1024

/**
 * Dependencies of drafts on other features: own offers to match lines with, and the creation of new
 * offers.
 */
export type DraftOffers = OwnOffers & OfferCreation

const noChoices: FileChoices = { fixed: {}, chosen: [] }

/** Drafts: files are received, checked, corrected and assigned to offers. */
export function createDrafts(
  context: CoreContext,
  offers: DraftOffers,
  catalogue: ProductSearch,
  book: ImportBook,
  checks: ReturnType<typeof createChecks>,
) {
  const { changed, eraseFiles, find, findDraft, findFile, planning, receiving, sealing, view } =
    book

  /** Finds a checked file of a draft. Requires an open vault. */
  function findChecked(ref: { importId: string; fileId: string }) {
    const found = findDraft(ref.importId)
    const file = findFile(ref, found)
    context.vault.assertUnlocked()
    if (file.state !== 'checked')
      throw failure(
        'FILE_NOT_CHECKED',
        'This file hasn’t been checked yet.',
        'Wait until the check finishes.',
      )
    const facts = createSealedFacts(context, found.desk.accountId)
    return { found, desk: found.desk, file, facts, choices: facts.choices(file) ?? noChoices }
  }
  const ownOffer = (accountId: string): ((offerId: string) => boolean) => {
    const own = new Set(offers.keys(accountId).map(({ offerId }) => offerId))
    return (offerId) => own.has(offerId)
  }
  /**
   * Writes bytes to the spool. If the disk is full, the file shows the problem and stays ready to
   * receive the same bytes.
   */
  function spool(
    found: Found,
    fileId: string,
    offset: number,
    bytes: Buffer,
    last: boolean,
  ): number {
    const { desk, row } = found
    const { path, key } = spoolOf(sealing(desk, row.import_id), fileId)
    try {
      const received = receiving.write(fileId, path, key, offset, bytes)
      if (last) receiving.finish(fileId)
      if (findFile({ importId: row.import_id, fileId }, found).problem !== null)
        desk.drafts.setFileState(fileId, 'receiving', received, null)
      return received
    } catch (error) {
      if (!context.diskSpace.isCausedBy(error)) throw error
      desk.drafts.setFileState(fileId, 'receiving', offset, diskFull)
      changed(desk.accountId, row.import_id)
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
      const { desk, row } = findDraft(importId)
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
          : createSealedFacts(context, desk.accountId).sealChoices(fileId, {
              ...noChoices,
              pictures: pictures.map((picture) => ({
                name: baseName(picture.name),
                size: picture.size,
              })),
            })
      desk.drafts.addFile({
        fileId,
        number: row.number,
        name: baseName(name),
        size,
        offerId,
        choices,
      })
      changed(desk.accountId, importId)
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
      const { desk } = found
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
        desk.drafts.setFileState(
          fileId,
          whole ? 'checking' : 'failed',
          received,
          whole ? null : changedWhileRead,
        )
        if (whole) void checks.check(desk.accountId, importId)
      }
      changed(desk.accountId, importId)
      return { received }
    },
    /** Deletes the received bytes and keeps the file in the list with the reason. */
    async failFile({ importId, fileId, reason }: Inputs['failFile']): Promise<Import> {
      const found = findDraft(importId)
      const file = findFile({ importId, fileId }, found)
      if (file.state === 'receiving') {
        receiving.close(fileId)
        found.desk.drafts.setFileState(
          fileId,
          'failed',
          file.received,
          reason === 'changed' ? changedWhileRead : notReadable,
        )
        await eraseFiles(found.desk, importId, [file])
        changed(found.desk.accountId, importId)
      }
      return view(found)
    },
    readAgain({ importId, fileId }: Inputs['readAgain']): Import {
      const found = findDraft(importId)
      const file = findFile({ importId, fileId }, found)
      context.vault.assertUnlocked()
      if (file.state === 'receiving' || file.received !== file.size)
        throw failure('FILE_INCOMPLETE', 'This file is incomplete.', 'Remove it and add it again.')
      const facts = createSealedFacts(context, found.desk.accountId)
      found.desk.drafts.choose(
        fileId,
        facts.sealChoices(fileId, facts.choices(file) ?? noChoices),
        file.offer_id,
        true,
      )
      checks.interrupt(importId)
      void checks.check(found.desk.accountId, importId)
      changed(found.desk.accountId, importId)
      return view(found)
    },
    /**
     * Adds the sheet as a separate file with its own copy in the spool, so that each can be removed
     * separately.
     */
    addSheet({ importId, fileId, sheet }: Inputs['addSheet']): Import {
      const { found, desk, file, facts } = findChecked({ importId, fileId })
      const name = facts.result(file)?.read.sheets[sheet]?.name
      if (name === undefined)
        throw failure(
          'NOT_FOUND',
          'This workbook has no such sheet.',
          'Choose a sheet from its list.',
        )
      const copyId = context.random.id()
      const choices = facts.sealChoices(copyId, { ...noChoices, fixed: { sheet } })
      desk.drafts.addFile({
        fileId: copyId,
        number: found.row.number,
        name: file.name,
        size: file.size,
        offerId: file.offer_id,
        choices,
      })
      const source = spoolOf(sealing(desk, importId), fileId)
      let offset = 0
      for (const part of readFrames(source.path, source.key))
        offset = spool(found, copyId, offset, part, false)
      receiving.finish(copyId)
      desk.drafts.setFileState(copyId, 'checking', offset, null)
      void checks.check(desk.accountId, importId)
      changed(desk.accountId, importId)
      return view(found)
    },
    async setRepeats({ importId, send }: Inputs['setRepeats']): Promise<Import> {
      const found = findDraft(importId)
      context.vault.assertUnlocked()
      found.desk.drafts.setRepeats(importId, send)
      await checks.check(found.desk.accountId, importId)
      return view(found)
    },
    async missingOffers(ref: Inputs['missingOffers']): Promise<Outputs['missingOffers']> {
      const { desk, file, facts } = findChecked(ref)
      return findMissing(catalogue, desk.accountId, facts.result(file)?.targets ?? [])
    },
    async createOffers({
      importId,
      fileId,
      offers: wanted,
    }: Inputs['createOffers']): Promise<Outputs['createOffers']> {
      const { desk } = findChecked({ importId, fileId })
      const results = await createMissing(context, offers, desk.accountId, wanted)
      // The draft may have changed while the offers were created.
      const { found, file, facts, choices } = findChecked({ importId, fileId })
      const made = results.filter(({ offerId }) => offerId !== null)
      const values = new Set(made.map(({ value }) => value))
      const chosen = [
        ...choices.chosen.filter(({ value }) => !values.has(value)),
        ...made.map(({ value, offerId }) => ({ value, offerId })),
      ]
      desk.drafts.choose(
        fileId,
        facts.sealChoices(fileId, { ...choices, chosen }),
        file.offer_id,
        false,
      )
      await checks.check(desk.accountId, importId)
      return { results, import: view(found) }
    },
    profiles: ({ accountId }: Inputs['profiles']): Outputs['profiles'] =>
      createProfiles(context, book.deskOf(accountId).accountId).list(),
    saveProfile({ importId, fileId, name }: Inputs['saveProfile']): Import {
      const { found, desk, file, facts, choices } = findChecked({ importId, fileId })
      const result = facts.result(file)
      if (result === null)
        throw failure(
          'SPOOL_DAMAGED',
          'The results for this file can’t be read any more.',
          'Remove it and add it again.',
        )
      const profile = createProfiles(context, desk.accountId).save(
        name,
        result,
        choices,
        file.offer_id,
      )
      desk.drafts.choose(
        fileId,
        facts.sealChoices(fileId, { ...choices, profile }),
        file.offer_id,
        false,
      )
      changed(desk.accountId, importId)
      return view(found)
    },
    applyProfile({ importId, fileId, profileId }: Inputs['applyProfile']): Import {
      const { found, desk, file, facts, choices } = findChecked({ importId, fileId })
      const applied = createProfiles(context, desk.accountId).apply(
        profileId,
        choices,
        ownOffer(desk.accountId),
      )
      desk.drafts.choose(fileId, facts.sealChoices(fileId, applied), file.offer_id, true)
      checks.interrupt(importId)
      void checks.check(desk.accountId, importId)
      changed(desk.accountId, importId)
      return view(found)
    },
    removeProfile({ accountId, profileId }: Inputs['removeProfile']): void {
      createProfiles(context, book.deskOf(accountId).accountId).remove(profileId)
      context.changes.notify('imports', accountId)
    },
    async removeFile({ importId, fileId }: Inputs['removeFile']): Promise<Import> {
      const found = findDraft(importId)
      const file = findFile({ importId, fileId }, found)
      if (file.state === 'checking') checks.interrupt(importId)
      receiving.close(fileId)
      found.desk.drafts.removeFile(fileId)
      await eraseFiles(found.desk, importId, [file])
      await checks.check(found.desk.accountId, importId)
      // The worker may have written once more before it stopped.
      await eraseFiles(found.desk, importId, [file])
      return view(found)
    },
    /**
     * Stores only the user's corrections; everything else is detected again. If only the offer of
     * all lines changes, the file isn't read again.
     */
    async configureFile({ importId, fileId, settings }: Inputs['configureFile']): Promise<Import> {
      const found = findDraft(importId)
      const { desk } = found
      const file = findFile({ importId, fileId }, found)
      context.vault.assertUnlocked()
      if (file.state === 'receiving')
        throw failure(
          'FILE_INCOMPLETE',
          'This file is still being received.',
          'Wait until the check finishes.',
        )
      const { offerId = file.offer_id, ...reading } = settings
      const facts = createSealedFacts(context, desk.accountId)
      const choices = facts.choices(file) ?? noChoices
      const readAgain = Object.keys(reading).length > 0 || file.state !== 'checked'
      const fixed: Partial<FileSettings> = { ...choices.fixed, ...withoutUndefined(reading) }
      const chosen =
        offerId === file.offer_id
          ? choices.chosen
          : choices.chosen.filter(({ value }) => value !== null)
      desk.drafts.choose(
        fileId,
        facts.sealChoices(fileId, { ...choices, fixed, chosen }),
        offerId,
        readAgain,
      )
      if (readAgain) checks.interrupt(importId)
      const checked = checks.check(desk.accountId, importId)
      changed(desk.accountId, importId)
      if (!readAgain) await checked
      return view(found)
    },
    async chooseOffer({
      importId,
      fileId,
      value,
      offerId,
    }: Inputs['chooseOffer']): Promise<Import> {
      const { found, desk, file, facts, choices } = findChecked({ importId, fileId })
      if (offerId !== null && !ownOffer(desk.accountId)(offerId))
        throw failure(
          'NOT_FOUND',
          'Offer not found on this computer.',
          'Sync, or check the offer list.',
        )
      const chosen = [...choices.chosen.filter((each) => each.value !== value), { value, offerId }]
      desk.drafts.choose(
        fileId,
        facts.sealChoices(fileId, { ...choices, chosen }),
        file.offer_id,
        false,
      )
      await checks.check(desk.accountId, importId)
      return view(found)
    },
    /**
     * Classified lines. Empty if the file isn't checked, and after the upload started, because the
     * files are then deleted.
     */
    async lines({
      importId,
      fileId,
      offset = 0,
      limit = 50,
      reveal = false,
      only = null,
    }: Inputs['lines']): Promise<Outputs['lines']> {
      const found = find(importId)
      const { desk, row } = found
      const file = findFile({ importId, fileId }, found)
      if (row.state !== 'draft' || file.state !== 'checked') return { total: 0, rows: [] }
      context.vault.assertUnlocked()
      const shown = view(found).files.find((each) => each.fileId === fileId)
      const checked = checkedOf(sealing(desk, importId), fileId)
      const verdicts = await readFates(fatesPath(desk.folder(importId), fileId))
      return showLines(checked, verdicts, shown?.targets ?? [], {
        offset,
        limit,
        only,
        reveal: reveal || shown?.kind === 'pictures',
      })
    },

    async discard({ importId }: Inputs['discard']): Promise<void> {
      const { desk, row } = findDraft(importId)
      planning.add(importId)
      try {
        await checks.stop(importId)
        for (const { file_id: fileId } of desk.drafts.files(row.number)) receiving.close(fileId)
        desk.drafts.setRepeats(importId, false)
        desk.drafts.remove(row.number)
        removeFolder(desk.folder(importId))
      } finally {
        planning.delete(importId)
      }
      changed(desk.accountId, importId)
    },
  }
}

const baseName = (name: string): string => name.split(/[\\/]/).at(-1) ?? name

const withoutUndefined = (settings: {
  [Name in keyof FileSettings]?: FileSettings[Name] | undefined
}): Partial<FileSettings> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
