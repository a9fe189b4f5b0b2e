import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import { BACKUP_CHUNK } from '../../contract/backup.ts'
import type { BackupSummary } from '../../contract/backup.ts'
import type { Contract } from '../../contract/index.ts'
import type { CoreContext } from '../context.ts'
import { failure } from '../failure.ts'
import type { FeatureSchema } from '../mirror/schema.ts'
import { scryptCost } from '../vault/vault.ts'
import type { ScryptCost, VaultFeature } from '../vault/vault.ts'
import { readArchive, writeArchive } from './archive.ts'
import { checkData } from './check.ts'
import { REPLACED, WORK, bytesOf } from './folder.ts'
import { asideName, markReady, newData, readyMark } from './replace.ts'

export { replaceAtStart } from './replace.ts'

type Inputs = InferContractRouterInputs<Contract['backup']>
type Outputs = InferContractRouterOutputs<Contract['backup']>
type Parts = {
  context: Pick<CoreContext, 'host' | 'clock' | 'random' | 'activity'>
  vault: Pick<VaultFeature, 'state'>
  schemas: readonly FeatureSchema[]
  cost?: ScryptCost | undefined
}

const gone = () =>
  failure('NOT_FOUND', 'This backup is not at hand any more.', 'Begin again.', {
    effect: 'Nothing was replaced.',
  })
const busy = () =>
  failure('CONFLICT', 'Another backup is being made or restored.', 'Wait until it is done.', {
    effect: 'Nothing was changed.',
  })

/**
 * The data folder as one encrypted file, and such a file in its place: unpacked and checked beside
 * it now, put in place at the next start.
 */
export function createBackup({
  context: { host, clock, random, activity },
  vault,
  schemas,
  cost = scryptCost,
}: Parts) {
  const work = join(host.dataDir, WORK)
  const madePath = (backupId: string): string => join(work, `made-${backupId}`)
  const incoming = (restoreId: string): string => join(work, `in-${restoreId}`)
  let working = false
  let made: string | null = null
  let brought: string | null = null
  let checked: { restoreId: string; summary: BackupSummary } | null = null
  const note = (what: string, detail: string): void =>
    activity.add({
      accountId: null,
      what,
      detail,
      outcome: 'ok',
      code: null,
      status: null,
      requestId: null,
      durationMs: null,
    })
  const begin = (): void => {
    mkdirSync(work, { recursive: true, mode: 0o700 })
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
    rmSync(newData(host.dataDir), { recursive: true, force: true })
    brought = null
    checked = null
  }

  return {
    make: ({ passphrase }: Inputs['make']): Promise<Outputs['make']> =>
      alone(async () => {
        if (vault.state().rekeying)
          throw failure(
            'CONFLICT',
            'The vault is getting a new key.',
            'Make the backup when it has it.',
            { effect: 'No backup was made.' },
          )
        begin()
        if (made !== null) rmSync(madePath(made), { force: true })
        const backupId = random.id()
        const now = clock.now()
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
        const bytes = statSync(madePath(backupId)).size
        note(
          'Backup made',
          `${files.toLocaleString('en')} files, ${bytes.toLocaleString('en')} bytes, encrypted`,
        )
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
    drop({ backupId }: Inputs['drop']): void {
      if (backupId !== made) return
      rmSync(madePath(backupId), { force: true })
      made = null
    },
    receive({ restoreId, offset, base64 }: Inputs['receive']): Outputs['receive'] {
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
        throw failure('CONFLICT', 'A part of the backup is missing.', 'Begin again.', {
          effect: 'Nothing was replaced.',
        })
      // A chunk that comes again after a lost answer takes its own place.
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
        const into = newData(host.dataDir)
        rmSync(into, { recursive: true, force: true })
        mkdirSync(into, { recursive: true, mode: 0o700 })
        try {
          const read = await readArchive(incoming(restoreId), into, passphrase)
          checked = { restoreId, summary: { ...read, accounts: checkData(into, schemas) } }
          return checked.summary
        } catch (error) {
          rmSync(into, { recursive: true, force: true })
          throw error
        }
      }),
    restore({ restoreId }: Inputs['restore']): void {
      if (checked?.restoreId !== restoreId || working) throw gone()
      const { summary } = checked
      rmSync(incoming(restoreId), { force: true })
      markReady(host.dataDir, { ...summary, aside: asideName(clock.now()) })
      brought = null
      checked = null
      note(
        'Restore waits for the next start',
        `Backup of ${new Date(summary.madeAt).toISOString()}`,
      )
    },
    cancel(): void {
      if (working) throw busy()
      if (readyMark(host.dataDir) !== null) note('Restore called off', '')
      forget()
    },
    state(): Outputs['state'] {
      const mark = readyMark(host.dataDir)
      const waiting = mark === null ? null : (({ aside: _aside, ...summary }) => summary)(mark)
      const replaced = readdirSync(host.dataDir)
        .filter((name) => name.startsWith(REPLACED))
        .toSorted()
        .toReversed()
        .map((name) => ({
          name,
          at: Math.round(statSync(join(host.dataDir, name)).mtimeMs),
          bytes: bytesOf(join(host.dataDir, name)),
        }))
      return { waiting, replaced }
    },
    dropReplaced({ name }: Inputs['dropReplaced']): void {
      if (!/^replaced-[0-9TZ-]+$/.test(name) || !existsSync(join(host.dataDir, name)))
        throw failure('NOT_FOUND', 'This data is gone already.', 'Look at the list again.')
      // Out of sight at once, so that a kill leaves nothing that looks whole.
      begin()
      const doomed = join(work, `gone-${random.id()}`)
      renameSync(join(host.dataDir, name), doomed)
      rmSync(doomed, { recursive: true, force: true })
      note('Replaced data deleted', name)
    },
  }
}
export type Backup = ReturnType<typeof createBackup>
