import { implement } from '@orpc/server'
import { contract } from '../../../contract/index.ts'
import type { Contract } from '../../../contract/index.ts'
import type { Problem } from '../../../contract/base.ts'
import { EXPORT_CHUNK } from '../../../contract/app/recovery.ts'
import type { RecoveryProblem, RecoveryState } from '../../../contract/app/recovery.ts'
import type { Host } from '../../../platform/host.ts'
import { createBackup } from '../../backup/backup.ts'
import type { Backup } from '../../backup/backup.ts'
import type { Clock } from '../../clock.ts'
import { dataFolderSchemas } from '../../open-data-folder.ts'
import type { CoreOptions } from '../../core-services.ts'
import { StartProblem } from '../inspect/start-problem.ts'
import type { RecoverableProblem } from '../inspect/start-problem.ts'
import { DataFolderInUse, lockDataFolder } from '../lock.ts'
import type { FolderLock } from '../lock.ts'
import { readSafetyCopy } from '../keep/safety-copy.ts'
import { isDiskFull } from '../../disk-full.ts'
import { failure } from '../../failure.ts'
import type { FeatureSchema } from '../../mirror/schema.ts'
import { systemRandomness } from '../../randomness.ts'
import { guard } from '../../rpc.ts'
import type { ServedRouter } from '../../served.ts'
import { startChecks } from './checks.ts'
import { exportReadable } from './export.ts'
import type { ReadableData } from './export.ts'
import { repairMainDatabase } from './repair.ts'
import { copyForReading } from './scratch-copy.ts'

/** The procedures that a core in recovery serves: its own, and those of a restore. */
export type RecoveryContract = {
  recovery: Contract['recovery']
  backup: Pick<
    Contract['backup'],
    'upload' | 'check' | 'checkBeforeUpdate' | 'restore' | 'cancel' | 'state'
  >
}

export interface Recovery {
  readonly router: ServedRouter<RecoveryContract>
  announce(address: string): void
  close(): Promise<void>
}

/** How recovery continues. Each of them rejects with a `StartProblem` when it isn't possible. */
export interface WaysOut {
  open(): Promise<void>
  openReadOnly(): Promise<void>
}

type Parts = {
  host: Host
  options: CoreOptions
  clock: Clock
  /** The tables of all features. */
  schemas: readonly FeatureSchema[]
  problem: RecoverableProblem
  waysOut: WaysOut
}

const REPAIRABLE: ReadonlySet<RecoveryProblem> = new Set([
  'missing',
  'wiped',
  'incomplete',
  'damaged',
])
const UNREADABLE: ReadonlySet<RecoveryProblem> = new Set([
  'newer',
  'unreadable',
  'migration-failed',
])
const UNWRITABLE: ReadonlySet<RecoveryProblem> = new Set([
  'read-only',
  'disk-full',
  'update-disk-full',
])

/**
 * Serves the recovery screen for a data folder that Keydesk can't open. It holds the folder's lock
 * if it can be locked, and changes nothing until a person chooses.
 */
export function createRecovery(parts: Parts): Recovery {
  const { host, clock, problem } = parts
  const lock = tryToLock(parts)
  const closing = new AbortController()
  const checkedAt = clock.now()
  const checks = startChecks({
    dataDir: host.dataDir,
    schemas: dataFolderSchemas,
    worker: host.workerPath('mirror-check'),
    signal: closing.signal,
  })
  const alone = createExclusive()
  const backup = createRestore(parts)
  const updateBackups = backup.state().beforeUpdates
  let exported: ReadableData | null = null

  /** Leaves recovery: releases the folder for the core that opens it. Locks it again on failure. */
  async function leave(open: () => Promise<void>): Promise<void> {
    lock.release()
    try {
      await open()
      closing.abort()
    } catch (error) {
      lock.take()
      throw error
    }
  }

  const state = (): RecoveryState => ({
    mode: 'recovery',
    problem: problem.kind,
    detail: problem.detail,
    dataFolder: host.dataDir,
    checkedAt,
    files: checks.files(),
    accounts: readSafetyCopy(host.dataDir)?.accounts.map(({ name }) => name) ?? [],
    beforeUpdate: updateBackups.find(({ readable }) => readable) ?? null,
    can: {
      repair: lock.isHeld() && REPAIRABLE.has(problem.kind),
      restore: lock.isHeld() && !UNWRITABLE.has(problem.kind),
      openReadOnly: !UNREADABLE.has(problem.kind),
      quit: host.quit !== undefined,
    },
  })

  const os = implement(contract.recovery).use(guard(problemOf))
  const recovery = os.router({
    state: os.state.handler(state),
    open: os.open.handler(() => alone(() => leave(parts.waysOut.open))),
    repair: os.repair.handler(() =>
      alone(async () => {
        if (!state().can.repair) throw notPossible()
        repairMainDatabase(host.dataDir, dataFolderSchemas, clock.now())
        await leave(parts.waysOut.open)
      }),
    ),
    openReadOnly: os.openReadOnly.handler(() =>
      alone(async () => {
        if (!state().can.openReadOnly) throw notPossible()
        await leave(parts.waysOut.openReadOnly)
      }),
    ),
    exportReadable: os.exportReadable.handler(() =>
      alone(async () => {
        const copy = copyForReading(host.dataDir)
        try {
          exported = exportReadable(copy.path, clock.now())
        } finally {
          copy.remove()
        }
        const day = new Date(clock.now()).toISOString().slice(0, 10)
        return {
          fileName: `keydesk-readable-${day}.zip`,
          bytes: exported.bytes.length,
          unreadable: exported.unreadable,
        }
      }),
    ),
    readExport: os.readExport.handler(({ input: { offset } }) => ({
      base64: (exported?.bytes.subarray(offset, offset + EXPORT_CHUNK) ?? Buffer.alloc(0)).toString(
        'base64',
      ),
    })),
    quit: os.quit.handler(() => void clock.after(100, () => host.quit?.())),
  })
  return {
    router: { recovery, backup: restoreRouter(backup) },
    announce: lock.announce,
    async close() {
      closing.abort()
      lock.release()
    },
  }
}

/** Restores a backup without the console's log and vault, which may be what is damaged. */
function createRestore({ host, options, clock, schemas }: Parts): Backup {
  return createBackup({
    context: { host, clock, random: options.random ?? systemRandomness, activity: { add() {} } },
    vault: { state: () => ({ ...noVault, rekeying: false }), keyId: () => null },
    schemas: [...dataFolderSchemas, ...schemas],
    cost: options.passphraseCost,
    presentAddresses: () =>
      new Map(readSafetyCopy(host.dataDir)?.accounts.map(({ id, baseUrl }) => [id, baseUrl])),
  })
}

function restoreRouter(backup: Backup) {
  const os = implement(contract.backup).use(guard(problemOf))
  return {
    upload: os.upload.handler(({ input }) => backup.upload(input)),
    check: os.check.handler(({ input }) => backup.check(input)),
    checkBeforeUpdate: os.checkBeforeUpdate.handler(({ input }) => backup.checkBeforeUpdate(input)),
    restore: os.restore.handler(({ input }) => backup.restore(input)),
    cancel: os.cancel.handler(() => backup.cancel()),
    state: os.state.handler(() => backup.state()),
  }
}

const noVault = {
  state: 'unset',
  kept: 'none',
  entries: 0,
  openedAt: null,
  lockedBy: null,
} as const

/** The folder's lock, where it can be locked: a read-only folder can't be. */
function tryToLock({ host, clock }: Parts) {
  let lock: FolderLock | null = null
  let address: string | null = null
  const take = (): void => {
    try {
      lock = lockDataFolder(host.dataDir, { pid: process.pid, host: host.kind, since: clock.now() })
      if (address !== null) lock.announce(address)
    } catch (error) {
      if (error instanceof DataFolderInUse) throw error
      lock = null
    }
  }
  take()
  return {
    take,
    isHeld: () => lock !== null,
    announce(given: string): void {
      address = given
      lock?.announce(given)
    },
    release(): void {
      lock?.release()
      lock = null
    },
  }
}

/** Runs one task at a time. Rejects a second one with Failure `CONFLICT`. */
function createExclusive(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let running = false
  return async (task) => {
    if (running)
      throw failure('CONFLICT', 'Keydesk is still working on it.', 'Wait until it’s finished.', {
        effect: 'Nothing was changed.',
      })
    running = true
    try {
      return await task()
    } finally {
      running = false
    }
  }
}

/** The problem behind an error of a procedure. */
function problemOf(_where: string, error: unknown): Problem {
  const parts =
    error instanceof StartProblem || error instanceof DataFolderInUse
      ? { code: 'CONFLICT' as const, what: error.message, next: 'Choose another way.' }
      : {
          code: isDiskFull(error) ? ('DISK_FULL' as const) : ('INTERNAL' as const),
          what: 'Keydesk couldn’t do this with the data folder.',
          next: 'Choose another way, or restore a backup.',
        }
  return {
    ...parts,
    effect: 'The damaged data is unchanged.',
    status: null,
    requestId: null,
    retryAfterMs: null,
  }
}

const notPossible = () =>
  failure('CONFLICT', 'This isn’t possible with this data folder.', 'Choose another way.', {
    effect: 'Nothing was changed.',
  })
