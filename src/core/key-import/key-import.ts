import { closeSync, existsSync, openSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import type { FileSettings, Import } from '../../contract/imports.ts'
import type { CoreContext } from '../context.ts'
import { failure } from '../failure.ts'
import { throttle } from '../mirror/mirror.ts'
import { createChecks, createSealedFacts, taskFor } from './checks.ts'
import type { OwnOffers } from './checks.ts'
import { createDraftStore } from './draft-store.ts'
import type { FileRow, ImportRow } from './draft-store.ts'
import { showLines } from './first-lines.ts'
import { readFrames, scanFrames, valueLength } from './frames.ts'
import { checkedOf, fatesPath, productOf, refusedOf, spoolOf } from './key-check-task.ts'
import { createReceiving, MOST_CHUNK_BYTES, readFates, removeFiles, removeFolder } from './receiving.ts'
import { changedWhileRead } from './text/file-kind.ts'
import { createUploadStore } from './upload-store.ts'
import { createUploads } from './uploads.ts'
import type { ImportDesk } from './uploads.ts'
import { titleOf, viewFile, viewJournal, viewOffers, viewProblems, viewSummary, viewUpload } from './view.ts'
import type { FileChoices } from './view.ts'

export { importsSchema } from './schema.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/** Own offers to match lines against, and a look at them when an upload has changed their stock. */
export type ImportOffers = OwnOffers & { syncNow(accountId: string): Promise<void> }

type Found = { desk: ImportDesk; row: ImportRow }

/** At most ten updates a second. */
const TELL_EVERY_MS = 100

/** Bulk key import: files come in encrypted, every line is judged, each key is uploaded once and accounted for. */
export function createKeyImport(context: CoreContext, offers: ImportOffers) {
  const closing = new AbortController()
  const desks = new Map<string, ImportDesk>()
  const tellers = new Map<string, () => void>()
  const receiving = createReceiving()
  /** Drafts that are being planned: nothing of them changes meanwhile. */
  const planning = new Set<string>()

  function deskOf(accountId: string): ImportDesk {
    if (context.accounts.get(accountId).role !== 'seller') throw failure('NOT_FOUND', 'A partner account has no stock to import keys into.', 'Choose a seller account.')
    let desk = desks.get(accountId)
    if (desk === undefined) {
      const db = context.mirrors.database(accountId)
      desk = { accountId, drafts: createDraftStore(db), uploads: createUploadStore(db), folder: (importId) => join(context.host.dataDir, 'spool', accountId, importId) }
      desks.set(accountId, desk)
    }
    return desk
  }
  function find(importId: string): Found {
    for (const { id, role } of context.accounts.list()) {
      if (role !== 'seller') continue
      const desk = deskOf(id)
      const row = desk.drafts.find(importId)
      if (row !== undefined) return { desk, row }
    }
    throw failure('NOT_FOUND', 'This import is not on this desk.', 'Look at the list of imports.')
  }
  function findDraft(importId: string): Found {
    const found = find(importId)
    if (found.row.state !== 'draft' || planning.has(importId)) throw failure('NOT_A_DRAFT', 'The upload of this import has started.', 'Start another import for more files.', { effect: 'Nothing was changed.' })
    return found
  }
  function findFile({ importId, fileId }: { importId: string; fileId: string }, found: Found): FileRow {
    const file = found.desk.drafts.file(fileId)
    if (file === undefined || file.import_number !== found.row.number) throw failure('NOT_FOUND', `This file is not part of import ${importId}.`, 'Look at the import again.')
    return file
  }

  function changed(accountId: string, importId: string): void {
    let tell = tellers.get(importId)
    if (tell === undefined) {
      tell = throttle(context.clock, TELL_EVERY_MS, () => {
        if (closing.signal.aborted) return
        context.changes.tell('imports', accountId, importId)
        tellJob(accountId, importId)
      })
      tellers.set(importId, tell)
    }
    tell()
  }
  function tellJob(accountId: string, importId: string): void {
    const row = desks.get(accountId)?.drafts.find(importId)
    if (row === undefined || row.state === 'draft' || row.ended_at !== null) return context.jobs.end(importId)
    const upload = viewUpload(deskOf(accountId).uploads, row, context.clock.now())
    const states = { uploading: 'running', paused: 'paused', waiting: 'waiting', stopped: 'failed', done: 'running', cancelled: 'running' } as const
    context.jobs.set({ id: importId, kind: 'key-import', accountId, title: 'Import', state: states[row.state], done: upload.keysSettled, total: upload.keys, leftMs: upload.leftMs })
  }

  const checks = createChecks(context, offers, deskOf, changed)
  const uploads = createUploads(context, deskOf, { changed, ended })

  function ended(desk: ImportDesk, importId: string, state: 'done' | 'cancelled'): void {
    const row = desk.drafts.find(importId)
    if (row === undefined) return
    const now = context.clock.now()
    const { keys, keysSettled } = desk.uploads.totals(row.number)
    const added = desk.uploads.offers(row.number).reduce((sum, offer) => sum + offer.added, 0)
    const counts = `${added.toLocaleString('en')} of ${keys.toLocaleString('en')} keys added`
    if (state === 'done') {
      desk.uploads.setState(row.number, 'done', null, now)
      desk.uploads.note(row.number, now, 'Upload finished', counts)
    }
    context.activity.add({
      accountId: desk.accountId, what: state === 'done' ? 'Keys uploaded' : 'Key upload cancelled', detail: state === 'done' ? counts : `${counts}, ${(keys - keysSettled).toLocaleString('en')} not sent`,
      outcome: 'ok', code: null, status: null, requestId: null, durationMs: now - (row.started_at ?? now),
    })
    void removeFiles([join(desk.folder(importId), 'plan')]).catch((error: unknown) => context.report('imports erase', error))
    context.changes.tell('offers', desk.accountId)
    void offers.syncNow(desk.accountId).catch((error: unknown) => context.report('imports stock', error))
    changed(desk.accountId, importId)
  }

  /** Everything of a started import's spool but the plan and the refused lines: the files themselves are needed no more. */
  async function eraseFiles(desk: ImportDesk, importId: string, files: readonly FileRow[]): Promise<void> {
    const folder = desk.folder(importId)
    await removeFiles(files.flatMap(({ file_id: id }) => [join(folder, id), join(folder, `${id}.checked`), fatesPath(folder, id), `${fatesPath(folder, id)}.new`]))
  }

  const sealing = (desk: ImportDesk, importId: string) => ({ accountId: desk.accountId, importId, seal: context.vault.material().seal, folder: desk.folder(importId) })

  function receivedOf(desk: ImportDesk, row: FileRow, importId: string): number {
    if (row.state !== 'receiving') return row.received
    const known = receiving.received(row.file_id)
    const path = join(desk.folder(importId), row.file_id)
    if (known !== null || !existsSync(path)) return known ?? 0
    const file = openSync(path, 'r')
    try {
      return scanFrames(file).frames.reduce((sum, frame) => sum + valueLength(frame), 0)
    } finally {
      closeSync(file)
    }
  }

  function view({ desk, row: { import_id: importId } }: Found): Import {
    const row = desk.drafts.find(importId)
    if (row === undefined) throw failure('NOT_FOUND', 'This import is not on this desk.', 'Look at the list of imports.')
    const facts = createSealedFacts(context, desk.accountId)
    const own = new Map(offers.keys(desk.accountId).map((offer) => [offer.offerId, offer]))
    return {
      ...viewSummary(row, desk.accountId),
      files: desk.drafts.files(row.number).map((file) => viewFile(file, receivedOf(desk, file, importId), facts.result(file), facts.choices(file), own)),
      problems: viewProblems(row),
      offers: viewOffers(desk.uploads, row.number),
      upload: viewUpload(desk.uploads, row, context.clock.now()),
      journal: viewJournal(desk.uploads, row),
    }
  }

  function goesOn({ desk, row }: Found): void {
    const other = desk.uploads.active().find(({ number }) => number !== row.number)
    if (other !== undefined) throw failure('UPLOAD_RUNNING', 'Another import of this account is being uploaded.', 'Wait until it has ended, or pause it.', { effect: 'Nothing was sent.' })
  }

  function checkUnfinished(accountId: string): void {
    const desk = deskOf(accountId)
    for (const row of desk.drafts.list()) {
      if (row.state === 'draft' && desk.drafts.files(row.number).some(({ state }) => state === 'checking')) void checks.check(accountId, row.import_id)
    }
  }

  context.accounts.onReady((account, signal) => {
    if (account.role !== 'seller') return
    const until = AbortSignal.any([signal, closing.signal])
    const desk = deskOf(account.id)
    for (const row of desk.drafts.list()) {
      // A kill may have come between the plan's transaction and the erasing of the files.
      if (row.state !== 'draft') void eraseFiles(desk, row.import_id, desk.drafts.files(row.number)).catch((error: unknown) => context.report('imports erase', error))
    }
    checkUnfinished(account.id)
    uploads.open(account.id, until)
  })
  context.accounts.onRemove(async (accountId) => {
    const desk = desks.get(accountId)
    for (const { import_id: importId, number } of desk?.drafts.list() ?? []) {
      uploads.wake(importId)
      await checks.stop(importId)
      await uploads.settled(importId)
      for (const file of desk?.drafts.files(number) ?? []) receiving.close(file.file_id)
    }
    desks.delete(accountId)
  })
  void (async () => {
    for await (const change of context.changes.listen(closing.signal)) {
      if (change.topic !== 'vault') continue
      for (const accountId of desks.keys()) checkUnfinished(accountId)
    }
  })().catch((error: unknown) => context.report('imports vault', error))

  return {
    list({ accountId }: Inputs['list']): Outputs['list'] {
      const desk = deskOf(accountId)
      return desk.drafts.list().map((row) => ({ ...viewSummary(row, accountId), upload: viewUpload(desk.uploads, row, context.clock.now()), title: titleOf(desk.drafts.files(row.number)) }))
    },
    create({ accountId }: Inputs['create']): Import {
      const desk = deskOf(accountId)
      const importId = context.random.id()
      desk.drafts.add(importId, context.clock.now())
      changed(accountId, importId)
      return view(find(importId))
    },
    get: ({ importId }: Inputs['get']): Import => view(find(importId)),

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

    /** Writes the whole plan down and begins to send it. */
    async upload({ importId }: Inputs['upload']): Promise<Import> {
      const found = findDraft(importId)
      const { desk, row } = found
      context.vault.demandOpen()
      goesOn(found)
      const files = desk.drafts.files(row.number)
      if (files.some(({ state }) => state === 'receiving' || state === 'checking')) throw failure('FILE_NOT_CHECKED', 'Not all files are checked yet.', 'Wait until they are, or remove them.', { effect: 'Nothing was sent.' })
      planning.add(importId)
      try {
        await checks.stop(importId)
        const task = taskFor(context, desk, importId, files, offers, 'plan')
        const { weighed, offers: planned, requests } = await checks.work(task)
        if (requests.length === 0) throw failure('NOTHING_READY', 'No line of this import is ready to be uploaded.', 'Choose offers for its lines, or add other files.', { effect: 'Nothing was sent.' })
        goesOn(found)
        const own = new Map(task.offers.map((offer) => [offer.offerId, offer]))
        desk.uploads.begin({
          number: row.number, at: context.clock.now(), ...weighed, requests, keyOf: () => context.random.id(),
          offers: planned.flatMap(({ offerId, keys }, position) => {
            const offer = own.get(offerId)
            return keys === 0 || offer === undefined ? [] : [{ position, offerId, product: productOf(offer), name: offer.name, platform: offer.platform, region: offer.region }]
          }),
        })
      } finally {
        planning.delete(importId)
      }
      await eraseFiles(desk, importId, files)
      uploads.start(desk.accountId, importId)
      changed(desk.accountId, importId)
      return view(found)
    },
    pause({ importId }: Inputs['pause']): Import {
      const found = find(importId)
      if (found.row.state === 'uploading' || found.row.state === 'waiting') {
        found.desk.uploads.setState(found.row.number, 'paused', null)
        found.desk.uploads.note(found.row.number, context.clock.now(), 'Paused', 'A request that is under way is still answered')
        uploads.wake(importId)
        changed(found.desk.accountId, importId)
      }
      return view(found)
    },
    resume({ importId }: Inputs['resume']): Import {
      const found = find(importId)
      const { desk, row } = found
      if (row.state === 'paused' || row.state === 'stopped') {
        context.vault.demandOpen()
        goesOn(found)
        const request = row.state === 'stopped' && !context.accounts.takesIdempotencyKeys(desk.accountId) ? desk.uploads.inFlight(row.number) : undefined
        if (request !== undefined) desk.uploads.sendAgain(request)
        desk.uploads.setState(row.number, 'uploading', null)
        desk.uploads.note(row.number, context.clock.now(), 'Resumed', '')
      }
      if (row.ended_at === null && row.state !== 'draft') uploads.start(desk.accountId, importId)
      changed(desk.accountId, importId)
      return view(found)
    },
    async cancel({ importId }: Inputs['cancel']): Promise<Import> {
      const found = find(importId)
      const { desk, row } = found
      if (row.state === 'draft') throw failure('NOT_STARTED', 'The upload of this import has not started.', 'Discard the draft instead.', { effect: 'Nothing was changed.' })
      if (row.ended_at === null) {
        const now = context.clock.now()
        desk.uploads.setState(row.number, 'cancelled', null, now)
        desk.uploads.note(row.number, now, 'Cancelled', 'What was answered stays uploaded; what waited was erased here')
        const running = uploads.isRunning(importId)
        uploads.wake(importId)
        await uploads.settled(importId)
        if (!running) ended(desk, importId, 'cancelled')
        changed(desk.accountId, importId)
      }
      return view(found)
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
    async exportRefused({ importId }: Inputs['exportRefused']): Promise<Outputs['exportRefused']> {
      const { desk, row } = find(importId)
      context.vault.demandOpen()
      const files = desk.drafts.files(row.number).filter(({ state }) => state === 'checked')
      if (row.state === 'draft') await checks.work(taskFor(context, desk, importId, files, offers, 'refused'))
      const { path, key } = refusedOf(sealing(desk, importId))
      const only = files.length === 1 ? files[0] : undefined
      const extension = only === undefined ? '.txt' : extname(only.name)
      const fileName = only === undefined ? 'refused lines.txt' : `${only.name.slice(0, only.name.length - extension.length)} refused${extension === '' ? '.txt' : extension}`
      return { fileName, base64: Buffer.concat([...readFrames(path, key)]).toString('base64') }
    },
    async close(): Promise<void> {
      closing.abort()
      receiving.closeAll()
      await checks.close()
      await uploads.close()
    },
  }
}
export type KeyImport = ReturnType<typeof createKeyImport>

const withoutUndefined = (settings: { [Name in keyof FileSettings]?: FileSettings[Name] | undefined }): Partial<FileSettings> => Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
