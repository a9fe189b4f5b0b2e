import { afterEach, expect, test } from 'vitest'
import { createScope } from '../../lifecycle/lifecycle.ts'
import { until } from '../../testing/core.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import type { KeyImportContext } from '../context.ts'
import { keyRecords } from '../key-records.ts'
import {
  createUploadService,
  disposeUploads,
  prepareUpload,
  refusal,
  someKeys,
  uploadAccountId,
} from '../testing/prepared-upload.ts'
import type { PreparedUpload } from '../testing/prepared-upload.ts'
import { createUploadCommands } from './commands.ts'
import { createUploads } from './uploads.ts'

const importId = 'imp'
const ends: AbortController[] = []

afterEach(() => {
  for (const each of ends.splice(0)) each.abort()
  disposeUploads()
})

/** Starts an upload and returns its cancel command, with the reported states and ends. */
function start(upload: PreparedUpload, context: KeyImportContext = upload.context) {
  const { harness, row } = upload
  const reported: string[] = []
  const ended: string[] = []
  const uploads = createUploads(context, () => harness, {
    changed: () => {},
    ended: (_session, _importId, state) => void ended.push(state),
    stopped: () => {},
  })
  // Canceling uses only these parts of the registry.
  const { cancel } = createUploadCommands({
    context,
    uploads,
    book: {
      find: () => ({ session: harness, row: row() }),
      changed: () => void reported.push(row().state),
      view: row,
    },
  } as unknown as Parameters<typeof createUploadCommands>[0])
  const end = new AbortController()
  ends.push(end)
  uploads.open(uploadAccountId, createScope({ clock: context.clock, report: () => {} }, end.signal))
  return { cancel: async () => cancel({ importId }), reported, ended }
}

/** An upload whose first request is in flight until `lose` loses its response. */
async function inFlight() {
  const upload = await prepareUpload(someKeys(30), createUploadService(true))
  const lost = Promise.withResolvers<never>()
  const sent = Promise.withResolvers<number>()
  upload.setStep(async (moment, keys) => {
    if (moment !== 'after') return
    sent.resolve(keys.length)
    await lost.promise
  })
  const started = start(upload)
  const keys = await sent.promise
  return { upload, ...started, keys, lose: () => lost.reject(refusal('ANSWER_LOST', null)) }
}

const unsureOf = ({ db, row }: PreparedUpload): number | undefined =>
  keyRecords(db)
    .countsOf(row().number)
    .find(({ fate }) => fate === 'unsure')?.count

/** The last entry of the import's log, as a person reads it. */
const lastNote = ({ harness, row }: PreparedUpload) =>
  formatMessages(harness.uploads.journal(row().number)[0])

test('saves the keys in doubt once if an import is canceled twice at the same time', async () => {
  const { upload, cancel, ended, keys, lose } = await inFlight()
  const both = Promise.all([cancel(), cancel()])
  lose()
  await both
  expect(unsureOf(upload)).toBe(keys)
  expect(ended).toEqual(['cancelled'])
})

test('cancels an upload that waits while the service is offline', async () => {
  const upload = await prepareUpload(someKeys(30), createUploadService(true))
  upload.setStep(() => {
    throw refusal('OFFLINE', null, { retryAfterMs: 60_000 })
  })
  const connection = {
    ...upload.context.connection(uploadAccountId),
    ready: async (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true })
      }),
  }
  const { cancel, reported } = start(upload, { ...upload.context, connection: () => connection })
  await until(
    () => upload.row().state,
    (state) => state === 'waiting',
  )
  await cancel()
  expect(upload.row().state).toBe('cancelled')
  expect(reported).toEqual(['paused', 'cancelled'])
})

test('reports an upload as paused if the vault locks before canceling has finished', async () => {
  const { upload, cancel, reported, lose } = await inFlight()
  const canceled = cancel()
  upload.ground.vault.lock()
  lose()
  await expect(canceled).rejects.toMatchObject({ problem: { code: 'VAULT_LOCKED' } })
  expect(upload.row().state).toBe('paused')
  expect(reported).toEqual(['paused', 'paused'])
  expect(lastNote(upload)).toMatchObject({
    what: 'Paused',
    detail: 'Not canceled: The vault is locked.',
  })
})

test('accepts a repeated cancel of an ended import while the vault is locked', async () => {
  const { upload, cancel, ended, lose } = await inFlight()
  const canceled = cancel()
  lose()
  await canceled
  upload.ground.vault.lock()
  await cancel()
  expect(ended).toEqual(['cancelled'])
})
