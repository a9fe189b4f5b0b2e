import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Import } from '../../contract/keys/import-records.ts'
import type { JobControls } from '../context.ts'
import { isVaultCode } from '../../contract/problem-codes.ts'
import { failure } from '../failure.ts'
import { readProblem } from '../stored-problem.ts'
import { createAccountScopes } from '../lifecycle/lifecycle.ts'
import type { AccountScope, Scope } from '../lifecycle/lifecycle.ts'
import { createThrottle } from '../throttle.ts'
import { createSealedFacts } from './check/checks.ts'
import type { OwnOffers } from './check/checks.ts'
import type { KeyImportContext } from './context.ts'
import { createDraftStore } from './draft-store.ts'
import type { FileRow, ImportRow } from './draft-store.ts'
import { scanFrames, valueLength } from './spool/frames.ts'
import { outcomesPath } from './spool/spool-files.ts'
import { createReceiving, removeFiles } from './receive/receiving.ts'
import { createUploadStore } from './upload/store/upload-store.ts'
import type { AccountImports } from './upload/upload-run.ts'
import { viewFile } from './view/file-view.ts'
import { createProfiles } from './profiles/profiles.ts'
import {
  viewJournal,
  viewOffers,
  viewProblems,
  viewSummary,
  viewUpload,
} from './view/import-view.ts'

export type FoundImport = { session: AccountImports; row: ImportRow }

/** At most ten updates per second. */
const TELL_EVERY_MS = 100

/**
 * The registry of all accounts' imports: finds them by id, builds their view for the contract, and
 * notifies about changes.
 */
export function createImportRegistry(
  context: KeyImportContext,
  offers: OwnOffers,
  scope: Scope,
  {
    controls,
    start,
  }: {
    controls: (importId: string) => JobControls
    /** Starts the background work of an account. */
    start: (session: AccountImports, work: AccountScope) => void
  },
) {
  const tellers = new Map<string, () => void>()
  const receiving = createReceiving()
  /** Drafts being planned or discarded, which must not change in the meantime. */
  const planning = new Set<string>()
  /** The totals of drafts before they changed without the user. */
  const sumsBefore = new Map<string, Import['sums']>()

  const accounts = createAccountScopes<AccountImports>(context, scope, {
    role: 'seller',
    otherRole: ['Partner accounts have no stock to import keys into.', 'Choose a seller account.'],
    open({ accountId, onEnd }) {
      const db = context.mirrors.database(accountId)
      const drafts = createDraftStore(db)
      onEnd(() => {
        for (const { number } of drafts.list())
          for (const { file_id: fileId } of drafts.files(number)) receiving.close(fileId)
      })
      return {
        accountId,
        drafts,
        uploads: createUploadStore(db),
        folder: (importId) => join(context.host.dataDir, 'spool', accountId, importId),
      }
    },
    start,
  })
  const storesOf = accounts.of
  const importIds = context.accounts.summary('imports', [], (accountId) =>
    storesOf(accountId)
      .drafts.list()
      .map(({ import_id: importId }) => importId),
  )
  /** The account of an import; null if there is no such import. */
  function accountOf(importId: string): string | null {
    const open = accounts.awake().find(({ drafts }) => drafts.find(importId) !== undefined)
    if (open !== undefined) return open.accountId
    const asleep = context.accounts
      .list({ role: 'seller' })
      .filter(({ id }) => context.accounts.isAsleep(id))
    return asleep.find(({ id }) => importIds(id).includes(importId))?.id ?? null
  }
  function find(importId: string): FoundImport {
    for (const session of accounts.awake()) {
      const row = session.drafts.find(importId)
      if (row !== undefined) return { session, row }
    }
    throw failure(
      'NOT_FOUND',
      'Import not found on this computer.',
      'Check the list of recent imports.',
    )
  }
  function findDraft(importId: string): FoundImport {
    const found = find(importId)
    if (found.row.state !== 'draft' || planning.has(importId))
      throw failure(
        'NOT_A_DRAFT',
        'This import’s upload has already started.',
        'Start another import for more files.',
        { effect: 'Nothing was changed.' },
      )
    return found
  }
  function findFile(
    { importId, fileId }: { importId: string; fileId: string },
    found: FoundImport,
  ): FileRow {
    const file = found.session.drafts.file(fileId)
    if (file === undefined || file.import_number !== found.row.number)
      throw failure(
        'NOT_FOUND',
        `This file isn’t part of import ${importId}.`,
        'Check the import and try again.',
      )
    return file
  }

  function changed(accountId: string, importId: string): void {
    let tell = tellers.get(importId)
    if (tell === undefined) {
      tell = createThrottle(context.clock, TELL_EVERY_MS, () => {
        if (scope.signal.aborted) return
        context.changes.notify('imports', accountId, importId)
        tellJob(accountId, importId)
      })
      tellers.set(importId, tell)
    }
    tell()
  }
  const uploadOf = (session: AccountImports, row: ImportRow): Import['upload'] =>
    viewUpload(
      session.uploads,
      row,
      context.clock.now(),
      context.connection(session.accountId).state().budget.limit !== null,
    )
  function tellJob(accountId: string, importId: string): void {
    const row = accounts.opened(accountId)?.drafts.find(importId)
    if (row === undefined || row.state === 'draft' || row.ended_at !== null)
      return context.jobs.end(importId)
    const upload = uploadOf(storesOf(accountId), row)
    const states = {
      uploading: 'running',
      paused: 'paused',
      waiting: 'waiting',
      stopped: 'failed',
      done: 'running',
      cancelled: 'running',
    } as const
    context.jobs.set(
      {
        id: importId,
        kind: 'key-import',
        accountId,
        title: 'Import',
        state: states[row.state],
        done: upload.keysSettled,
        total: upload.keys,
        leftMs: upload.leftMs,
        needsVault:
          row.state === 'waiting' &&
          row.problem !== null &&
          isVaultCode(readProblem(row.problem).code),
      },
      controls(importId),
    )
  }

  /**
   * Deletes everything in a started import's spool except the plan and the rejected lines, because
   * the files are no longer needed.
   */
  async function eraseFiles(
    session: AccountImports,
    importId: string,
    files: readonly FileRow[],
  ): Promise<void> {
    const folder = session.folder(importId)
    await removeFiles(
      files.flatMap(({ file_id: id }) => [
        join(folder, id),
        join(folder, `${id}.sheet`),
        join(folder, `${id}.checked`),
        outcomesPath(folder, id),
        `${outcomesPath(folder, id)}.new`,
      ]),
    )
  }

  const spoolKeys = (session: AccountImports, importId: string) => ({
    accountId: session.accountId,
    importId,
    seal: context.vault.material().seal,
    folder: session.folder(importId),
  })

  function receivedOf(session: AccountImports, row: FileRow, importId: string): number {
    if (row.state !== 'receiving') return row.received
    const known = receiving.received(row.file_id)
    const path = join(session.folder(importId), row.file_id)
    if (known !== null || !existsSync(path)) return known ?? 0
    const file = openSync(path, 'r')
    try {
      return scanFrames(file).frames.reduce((sum, frame) => sum + valueLength(frame), 0)
    } finally {
      closeSync(file)
    }
  }

  function view({ session, row: { import_id: importId } }: FoundImport): Import {
    const row = session.drafts.find(importId)
    if (row === undefined)
      throw failure(
        'NOT_FOUND',
        'Import not found on this computer.',
        'Check the list of recent imports.',
      )
    const facts = createSealedFacts(context, session.accountId)
    const offered =
      row.state === 'draft' ? createProfiles(context, session.accountId).byShape() : () => []
    const own = new Map(offers.keys(session.accountId).map((offer) => [offer.offerId, offer]))
    return {
      ...viewSummary(row, session.accountId),
      sumsBefore: row.state === 'draft' ? (sumsBefore.get(row.import_id) ?? null) : null,
      sendsRepeats: session.drafts.sendsRepeats(importId),
      files: session.drafts.files(row.number).map((file) =>
        viewFile({
          row: file,
          received: receivedOf(session, file, importId),
          result: facts.result(file),
          choices: facts.choices(file),
          offers: own,
          offered,
        }),
      ),
      problems: viewProblems(row),
      offers: viewOffers(session.uploads, row.number),
      purchases: session.drafts.purchases(row.number).map((purchase) => {
        const offer = own.get(purchase.offerId)
        return {
          ...purchase,
          name: offer?.name ?? purchase.offerId,
          platform: offer?.platform ?? '',
          region: offer?.region ?? '',
          deliveryType: offer?.deliveryType ?? '',
          costNowCents: offers.costOf(session.accountId, purchase.offerId),
        }
      }),
      upload: uploadOf(session, row),
      journal: viewJournal(session.uploads, row),
    }
  }

  return {
    awake: accounts.awake,
    accountOf,
    scopeOf: accounts.scope,
    receiving,
    planning,
    sumsBefore,
    sessionOf: storesOf,
    find,
    findDraft,
    findFile,
    changed,
    eraseFiles,
    sealing: spoolKeys,
    uploadOf,
    view,
  }
}
export type ImportRegistry = ReturnType<typeof createImportRegistry>
