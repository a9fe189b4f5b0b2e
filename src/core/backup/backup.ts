import {
  closeSync,
  existsSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import { BACKUP_CHUNK } from '../../contract/app/backup.ts'
import type { BackupSummary, UpdateBackup } from '../../contract/app/backup.ts'
import type { Contract } from '../../contract/index.ts'
import { localized } from '../../contract/localization/localized.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import type { CoreContext } from '../context.ts'
import { isDiskFull } from '../disk-full.ts'
import { makeFolder } from '../durable-files.ts'
import { failure } from '../failure.ts'
import type { FeatureSchema } from '../mirror/schema.ts'
import { scryptCost } from '../vault/vault.ts'
import type { ScryptCost, VaultFeature } from '../vault/vault.ts'
import { noSpace, readArchive, writeArchive } from './archive.ts'
import type { BackupHeader } from './archive.ts'
import { checkData } from './check.ts'
import { copyData, removeFolder, updateBackups } from './before-update.ts'
import { REPLACED, WORK, folderSize, isEarlierData } from './folder.ts'
import { quarantine } from './quarantine.ts'
import { replacedName, scheduleRestore, newDataPath, scheduledRestore } from './replace.ts'
import { localEntry } from '../local-entry.ts'

export {
  UpdateStopped,
  backUpBeforeUpdate,
  recordUpdate,
  removeFromUpdateBackups,
  removeUpdateBackups,
} from './before-update.ts'
export { applyScheduledRestore } from './replace.ts'

type BackupContext = Pick<CoreContext, 'host' | 'clock' | 'random' | 'activity'>

type Inputs = InferContractRouterInputs<Contract['backup']>
type Outputs = InferContractRouterOutputs<Contract['backup']>
type Parts = {
  context: BackupContext
  vault: Pick<VaultFeature, 'state' | 'keyId'>
  schemas: readonly FeatureSchema[]
  cost?: ScryptCost | undefined
  /** The addresses of the current accounts, by account id. */
  presentAddresses: () => ReadonlyMap<string, string>
}

const gone = () =>
  failure('NOT_FOUND', 'This backup is no longer available.', 'Start again.', {
    effect: 'Nothing was replaced.',
  })
const busy = () =>
  failure('CONFLICT', 'Another backup is being created or restored.', 'Wait until it’s finished.', {
    effect: 'Nothing was changed.',
  })

const rekeyed = () =>
  failure(
    'CONFLICT',
    'The vault got a new key while the backup was being created.',
    'Create the backup again.',
    { effect: 'No backup was created.' },
  )

/** Copies a backup from before an update to where a backup is unpacked. */
function copyBackup(
  dataDir: string,
  { name, version, at }: UpdateBackup,
  into: string,
): BackupHeader & { files: number; bytes: number } {
  try {
    const files = copyData(join(dataDir, name), into)
    return { madeAt: at, version, files, bytes: folderSize(into) }
  } catch (error) {
    throw isDiskFull(error) ? noSpace() : error
  }
}

/**
 * Saves the data folder as one encrypted file, and restores such a file: it is unpacked and checked
 * next to the current data now, and replaces it at the next start.
 */
export function createBackup({
  context: { host, clock, random, activity },
  vault,
  schemas,
  cost = scryptCost,
  presentAddresses,
}: Parts) {
  const work = join(host.dataDir, WORK)
  const madePath = (backupId: string): string => join(work, `made-${backupId}`)
  const incoming = (restoreId: string): string => join(work, `in-${restoreId}`)
  let working = false
  let made: string | null = null
  let brought: string | null = null
  let checked: { restoreId: string; summary: BackupSummary } | null = null
  const note = (what: Localized, detail: Localized | null): void =>
    activity.add(
      localEntry({
        accountId: null,
        what,
        detail,
      }),
    )
  const begin = (): void => {
    makeFolder(work)
  }

  async function alone<Result>(task: () => Promise<Result>): Promise<Result> {
    if (working) throw busy()
    working = true
    try {
      return await task()
    } finally {
      working = false
    }
  }
  function forget(): void {
    rmSync(join(work, 'ready'), { force: true })
    if (brought !== null) rmSync(incoming(brought), { force: true })
    rmSync(newDataPath(host.dataDir), { recursive: true, force: true })
    brought = null
    checked = null
  }
  function discard({ backupId }: Inputs['discard']): void {
    if (backupId !== made) return
    rmSync(madePath(backupId), { force: true })
    made = null
  }
  /** Unpacks a backup next to the current data, and checks it. */
  async function unpack(
    restoreId: string,
    read: (into: string) => Promise<BackupHeader & { files: number; bytes: number }>,
  ): Promise<BackupSummary> {
    const into = newDataPath(host.dataDir)
    rmSync(into, { recursive: true, force: true })
    makeFolder(into)
    try {
      const contents = await read(into)
      checkData(into, schemas)
      const summary = { ...contents, ...quarantine(into, presentAddresses()) }
      checked = { restoreId, summary }
      return summary
    } catch (error) {
      rmSync(into, { recursive: true, force: true })
      throw error
    }
  }

  return {
    create: ({ passphrase }: Inputs['create']): Promise<Outputs['create']> =>
      alone(async () => {
        if (vault.state().rekeying)
          throw failure(
            'CONFLICT',
            'The vault is getting a new key.',
            'Create the backup when that’s finished.',
            { effect: 'No backup was created.' },
          )
        begin()
        if (made !== null) rmSync(madePath(made), { force: true })
        const backupId = random.id()
        const now = clock.now()
        const keyId = vault.keyId()
        const { files } = await writeArchive({
          dataDir: host.dataDir,
          target: madePath(backupId),
          passphrase,
          version: host.version,
          now,
          random,
          cost,
        })
        made = backupId
        // The files were copied one after another: some have values under the old key only.
        if (vault.keyId() !== keyId) {
          discard({ backupId })
          throw rekeyed()
        }
        const bytes = statSync(madePath(backupId)).size
        note(localized('backup.created'), localized('backup.contents', { files, bytes }))
        return {
          backupId,
          fileName: `keydesk-${new Date(now).toISOString().slice(0, 16).replace(':', '-')}.keydesk-backup`,
          bytes,
          files,
        }
      }),
    read({ backupId, offset }: Inputs['read']): Outputs['read'] {
      if (backupId !== made) throw gone()
      const file = openSync(madePath(backupId), 'r')
      try {
        const chunk = Buffer.alloc(BACKUP_CHUNK)
        return {
          base64: chunk
            .subarray(0, readSync(file, chunk, 0, BACKUP_CHUNK, offset))
            .toString('base64'),
        }
      } finally {
        closeSync(file)
      }
    },
    discard,
    upload({ restoreId, offset, base64 }: Inputs['upload']): Outputs['upload'] {
      if (working) throw busy()
      begin()
      if (restoreId === null) {
        forget()
        brought = random.id()
        closeSync(openSync(incoming(brought), 'wx', 0o600))
      }
      if (brought === null || (restoreId !== null && restoreId !== brought)) throw gone()
      const path = incoming(brought)
      if (offset > statSync(path).size)
        throw failure('CONFLICT', 'A part of the backup is missing.', 'Start again.', {
          effect: 'Nothing was replaced.',
        })
      // A chunk that is sent again after a lost response overwrites itself.
      truncateSync(path, offset)
      const file = openSync(path, 'a')
      writeSync(file, Buffer.from(base64, 'base64'))
      closeSync(file)
      checked = null
      return { restoreId: brought }
    },
    check: ({ restoreId, passphrase }: Inputs['check']): Promise<Outputs['check']> =>
      alone(async () => {
        if (restoreId !== brought) throw gone()
        return unpack(restoreId, (into) => readArchive(incoming(restoreId), into, passphrase))
      }),
    checkBeforeUpdate: ({
      name,
    }: Inputs['checkBeforeUpdate']): Promise<Outputs['checkBeforeUpdate']> =>
      alone(async () => {
        const found = updateBackups(host.dataDir, schemas).find((each) => each.name === name)
        if (found === undefined) throw gone()
        forget()
        begin()
        brought = random.id()
        const summary = await unpack(brought, async (into) => copyBackup(host.dataDir, found, into))
        return { restoreId: brought, summary }
      }),
    restore({ restoreId }: Inputs['restore']): void {
      if (checked?.restoreId !== restoreId || working) throw gone()
      const { summary } = checked
      rmSync(incoming(restoreId), { force: true })
      scheduleRestore(host.dataDir, { ...summary, aside: replacedName(clock.now()) })
      brought = null
      checked = null
      note(
        localized('backup.scheduled'),
        localized('backup.from', { madeAt: new Date(summary.madeAt).toISOString() }),
      )
    },
    cancel(): void {
      if (working) throw busy()
      if (scheduledRestore(host.dataDir) !== null) note(localized('backup.canceled'), null)
      forget()
    },
    state(): Outputs['state'] {
      const mark = scheduledRestore(host.dataDir)
      const waiting = mark === null ? null : (({ aside: _aside, ...summary }) => summary)(mark)
      const replaced = readdirSync(host.dataDir)
        .filter((name) => name.startsWith(REPLACED))
        .toSorted()
        .toReversed()
        .map((name) => ({
          name,
          at: Math.round(statSync(join(host.dataDir, name)).mtimeMs),
          bytes: folderSize(join(host.dataDir, name)),
        }))
      return { waiting, replaced, beforeUpdates: updateBackups(host.dataDir, schemas) }
    },
    deleteReplaced({ name }: Inputs['deleteReplaced']): void {
      if (!isEarlierData(name) || !existsSync(join(host.dataDir, name)))
        throw failure('NOT_FOUND', 'This data was already deleted.', 'Check the list again.')
      removeFolder(host.dataDir, name)
      note(localized('backup.replaced-data-deleted'), localized('backup.replaced-data', { name }))
    },
  }
}
export type Backup = ReturnType<typeof createBackup>
