/*
 * A console's core as a separate process, to be killed: reads one line of JSON, connects, and
 * finishes the import of one file from its current state. Reports its progress, one line of JSON
 * each.
 */
import { PLAIN_EXPORT_PHRASE } from '../../../src/contract/app/vault.ts'
import { readFileSync } from 'node:fs'
import { call, ORPCError } from '@orpc/server'
import { createCore } from '../../../src/core/create-core.ts'
import type { Core } from '../../../src/core/create-core.ts'
import type { Import } from '../../../src/contract/keys/import-records.ts'
import type { ImportReport } from '../../../src/contract/keys/import-reports.ts'
import { createReporter, pause, runSoakConsole, soakHost } from '../support/soak-console.ts'
import type { ConsoleFolder } from '../support/soak-console.ts'

export type ConsoleOptions = ConsoleFolder & {
  baseUrl: string
  key: string
  file: string
  fileName: string
  /** An offer for which the import is undone when it has finished. */
  undo: string | null
}

export type Said =
  | { at: 'connected' | 'draft' | 'uploading' | 'undoing' }
  | {
      report: Pick<Import, 'sums' | 'offers' | 'upload' | 'state'> & {
        files: ImportReport['files']
        kept: string[]
      }
    }

const say = createReporter<Said>()
const chunkBytes = 128 * 1024

/** The import to resume. A draft with an incomplete file is started again, as a person would do. */
async function resumeImport(
  { imports }: Core['router'],
  accountId: string,
  { file, fileName }: ConsoleOptions,
): Promise<string> {
  const [latest] = await call(imports.list, { accountId })
  if (latest !== undefined) {
    const { files, state } = await call(imports.get, { importId: latest.importId })
    if (
      state !== 'draft' ||
      (files.length > 0 && files.every((each) => each.state !== 'receiving'))
    )
      return latest.importId
    await call(imports.discard, { importId: latest.importId })
  }
  const { importId } = await call(imports.create, { accountId })
  const bytes = readFileSync(file)
  const { fileId } = await call(imports.addFile, { importId, name: fileName, size: bytes.length })
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    const part = bytes.subarray(offset, offset + chunkBytes)
    await call(imports.writeFile, {
      importId,
      fileId,
      offset,
      base64: part.toString('base64'),
      last: offset + part.length === bytes.length,
    })
  }
  return importId
}

/**
 * Undoes the import for an offer, from its current state, and returns the keys that are in the
 * vault then.
 */
async function undoImport(
  { imports, offers }: Core['router'],
  accountId: string,
  importId: string,
  offerId: string,
): Promise<string[]> {
  say({ at: 'undoing' })
  const state = async () =>
    (await call(imports.report, { importId })).undos.find((undo) => undo.offerId === offerId)
  let now = await state()
  if (now === undefined) await call(imports.undo, { importId, offerId })
  while (now?.state !== 'done') {
    if (now?.state === 'stopped')
      throw new Error(`the undo stopped: ${JSON.stringify(now.problem)}`)
    await pause(10)
    now = await state()
  }
  const { base64 } = await call(offers.withdrawals.export, {
    accountId,
    withdrawalId: now.withdrawalId,
    typed: PLAIN_EXPORT_PHRASE,
  })
  return Buffer.from(base64, 'base64')
    .toString('utf8')
    .split('\n')
    .filter((key) => key !== '')
}

/**
 * Starts the upload. After a power loss the console may not have read all offers again: it then
 * rejects the upload once because other lines are ready, and a person uploads again.
 */
async function startUpload({ imports }: Core['router'], importId: string): Promise<Import> {
  try {
    return await call(imports.upload, { importId })
  } catch (error) {
    if (!(error instanceof ORPCError) || !JSON.stringify(error.data).includes('CHANGED_MEANWHILE'))
      throw error
    await pause(200)
    return await call(imports.upload, { importId })
  }
}

async function main(options: ConsoleOptions): Promise<void> {
  const core = await createCore(soakHost(options), { rates: null })
  const { accounts, imports, offers } = core.router
  const known = await call(accounts.list, undefined)
  const account =
    known[0] ??
    (await call(accounts.connect, {
      key: options.key,
      baseUrl: options.baseUrl,
      name: 'Seller',
      keep: 'keychain',
    }))
  while ((await call(offers.list, { accountId: account.id })).total === 0) await pause(20)
  say({ at: 'connected' })
  const importId = await resumeImport(core.router, account.id, options)
  let now = await call(imports.get, { importId })
  if (now.state === 'draft') {
    say({ at: 'draft' })
    while (now.files.some(({ state }) => state === 'checking')) {
      await pause(10)
      now = await call(imports.get, { importId })
    }
    now = await startUpload(core.router, importId)
  }
  say({ at: 'uploading' })
  while (now.endedAt === null) {
    if (now.state === 'stopped')
      throw new Error(`the upload stopped: ${JSON.stringify(now.problem)}`)
    await pause(10)
    now = await call(imports.get, { importId })
  }
  const kept =
    options.undo === null ? [] : await undoImport(core.router, account.id, importId, options.undo)
  const { files } = await call(imports.report, { importId })
  await core.close()
  say({
    report: {
      sums: now.sums,
      offers: now.offers,
      upload: now.upload,
      state: now.state,
      files,
      kept,
    },
  })
}

runSoakConsole(main)
