import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import type { FileSettings, Import } from '../../contract/imports.ts'
import type { CoreContext } from '../context.ts'
import { failure } from '../failure.ts'
import type { ImportBook } from './book.ts'
import { createSealedFacts } from './checks.ts'
import type { createChecks, OwnOffers } from './checks.ts'
import { showLines } from './first-lines.ts'
import { checkedOf, fatesPath, spoolOf } from './key-check-task.ts'
import { MOST_CHUNK_BYTES, readFates, removeFolder } from './receiving.ts'
import { changedWhileRead } from './text/file-kind.ts'
import type { FileChoices } from './view.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/** Drafts: files come in, are checked, corrected and mapped to offers. */
export function createDrafts(context: CoreContext, offers: OwnOffers, book: ImportBook, checks: ReturnType<typeof createChecks>) {
  const { changed, eraseFiles, find, findDraft, findFile, planning, receiving, sealing, view } = book
  return {
    /** Throws Failure `VAULT_LOCKED` or `VAULT_UNSET` before the first byte: keys that can't be kept encrypted are not taken. */
    addFile({ importId, name, size, offerId = null }: Inputs['addFile']): Outputs['addFile'] {
      const { desk, row } = findDraft(importId)
      context.vault.demandOpen()
      const fileId = context.random.id()
      desk.drafts.addFile({ fileId, number: row.number, name: name.split(/[\\/]/).at(-1) ?? name, size, offerId })
      changed(desk.accountId, importId)
      return { fileId }
    },
    writeFile({ importId, fileId, offset, base64, last }: Inputs['writeFile']): Outputs['writeFile'] {
      const found = findDraft(importId)
      const { desk } = found
      const file = findFile({ importId, fileId }, found)
      if (file.state !== 'receiving') {
        if (last && file.state !== 'failed') return { received: file.received }
        throw failure('FILE_COMPLETE', 'This file has come in already.', 'Remove it and add it again to replace it.')
      }
      const bytes = Buffer.from(base64, 'base64')
      if (bytes.length > MOST_CHUNK_BYTES) throw failure('CHUNK_TOO_LONG', 'At most 1 MiB at a time.', 'Send the file in smaller parts.')
      const { path, key } = spoolOf(sealing(desk, importId), fileId)
      const received = receiving.write(fileId, path, key, offset, bytes)
      if (last) {
        receiving.finish(fileId)
        const whole = received === file.size
        desk.drafts.setFileState(fileId, whole ? 'checking' : 'failed', received, whole ? null : changedWhileRead)
        if (whole) void checks.check(desk.accountId, importId)
      }
      changed(desk.accountId, importId)
      return { received }
    },
    async removeFile({ importId, fileId }: Inputs['removeFile']): Promise<Import> {
      const found = findDraft(importId)
      const file = findFile({ importId, fileId }, found)
      if (file.state === 'checking') checks.interrupt(importId)
      receiving.close(fileId)
      found.desk.drafts.removeFile(fileId)
      await eraseFiles(found.desk, importId, [file])
      await checks.check(found.desk.accountId, importId)
      // The worker may have written once more before it ended.
      await eraseFiles(found.desk, importId, [file])
      return view(found)
    },
    /** Only what a person corrects is kept; the rest is detected anew. The offer of the whole file alone needs no new reading. */
    async configureFile({ importId, fileId, settings }: Inputs['configureFile']): Promise<Import> {
      const found = findDraft(importId)
      const { desk } = found
      const file = findFile({ importId, fileId }, found)
      context.vault.demandOpen()
      if (file.state === 'receiving') throw failure('FILE_INCOMPLETE', 'This file is still coming in.', 'Wait until it has been checked.')
      const { offerId = file.offer_id, ...reading } = settings
      const facts = createSealedFacts(context, desk.accountId)
      const choices: FileChoices = facts.choices(file) ?? { fixed: {}, chosen: [] }
      const readAgain = Object.keys(reading).length > 0 || file.state !== 'checked'
      const fixed: Partial<FileSettings> = { ...choices.fixed, ...withoutUndefined(reading) }
      const chosen = offerId === file.offer_id ? choices.chosen : choices.chosen.filter(({ value }) => value !== null)
      desk.drafts.choose(fileId, facts.sealChoices(fileId, { fixed, chosen }), offerId, readAgain)
      if (readAgain) checks.interrupt(importId)
      const checked = checks.check(desk.accountId, importId)
      changed(desk.accountId, importId)
      if (!readAgain) await checked
      return view(found)
    },
    async chooseOffer({ importId, fileId, value, offerId }: Inputs['chooseOffer']): Promise<Import> {
      const found = findDraft(importId)
      const { desk } = found
      const file = findFile({ importId, fileId }, found)
      context.vault.demandOpen()
      if (file.state !== 'checked') throw failure('FILE_NOT_CHECKED', 'This file is not checked yet.', 'Wait until it has been checked.')
      if (offerId !== null && !offers.keys(desk.accountId).some((offer) => offer.offerId === offerId)) throw failure('NOT_FOUND', 'This offer is not on this machine.', 'Sync, or look at the list of offers.')
      const facts = createSealedFacts(context, desk.accountId)
      const choices: FileChoices = facts.choices(file) ?? { fixed: {}, chosen: [] }
      const chosen = [...choices.chosen.filter((each) => each.value !== value), { value, offerId }]
      desk.drafts.choose(fileId, facts.sealChoices(fileId, { ...choices, chosen }), file.offer_id, false)
      await checks.check(desk.accountId, importId)
      return view(found)
    },
    /** Lines as judged. Empty while the file is not checked, and after the upload has begun: then the files are erased. */
    async lines({ importId, fileId, offset = 0, limit = 50, reveal = false, only = null }: Inputs['lines']): Promise<Outputs['lines']> {
      const found = find(importId)
      const { desk, row } = found
      const file = findFile({ importId, fileId }, found)
      if (row.state !== 'draft' || file.state !== 'checked') return { total: 0, rows: [] }
      context.vault.demandOpen()
      const shown = view(found).files.find((each) => each.fileId === fileId)
      const checked = checkedOf(sealing(desk, importId), fileId)
      const verdicts = await readFates(fatesPath(desk.folder(importId), fileId))
      return showLines(checked, verdicts, shown?.targets ?? [], { offset, limit, reveal, only })
    },

    async discard({ importId }: Inputs['discard']): Promise<void> {
      const { desk, row } = findDraft(importId)
      planning.add(importId)
      try {
        await checks.stop(importId)
        for (const { file_id: fileId } of desk.drafts.files(row.number)) receiving.close(fileId)
        desk.drafts.remove(row.number)
        removeFolder(desk.folder(importId))
      } finally {
        planning.delete(importId)
      }
      changed(desk.accountId, importId)
    },
  }
}

const withoutUndefined = (settings: { [Name in keyof FileSettings]?: FileSettings[Name] | undefined }): Partial<FileSettings> => Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
