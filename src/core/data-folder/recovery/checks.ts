import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CheckedFile } from '../../../contract/app/recovery.ts'
import { inspectFile } from '../inspect/file-state.ts'
import { SAFETY_COPY, readSafetyCopy } from '../keep/safety-copy.ts'
import type { FeatureSchema } from '../../mirror/schema.ts'
import type { FileCheckCalls } from '../../mirror/mirror.ts'
import { withWorker } from '../../workers/workers.ts'

const folders = [
  { folder: 'journals', holds: 'journal' },
  { folder: 'mirrors', holds: 'mirror' },
  { folder: 'catalogues', holds: 'catalogue' },
] as const

/** Intact first, the worst last. */
const severity: readonly CheckedFile['state'][] = [
  'ok',
  'checking',
  'empty',
  'newer',
  'absent',
  'unreadable',
  'truncated',
  'damaged',
  'foreign',
]
const isDatabase = (name: string): boolean => name.endsWith('.db')

/** The data folder's files as their names and first pages show them, before the complete check. */
function listFiles(dataDir: string, schemas: readonly FeatureSchema[]): CheckedFile[] {
  const copy = readSafetyCopy(dataDir)
  const names = new Map(copy?.accounts.map(({ id, name }) => [id, name]))
  const fileOf = (
    path: string,
    holds: CheckedFile['holds'],
    account: string | null,
  ): CheckedFile => ({
    path,
    holds,
    account,
    bytes: statSync(join(dataDir, path), { throwIfNoEntry: false })?.size ?? 0,
    state: 'checking',
    detail: null,
  })
  const main = inspectFile(join(dataDir, 'keydesk.db'), schemas, ['sqlite_schema'])
  return [
    { ...fileOf('keydesk.db', 'main', null), ...main },
    ...(existsSync(join(dataDir, SAFETY_COPY))
      ? [
          {
            ...fileOf(SAFETY_COPY, 'safety-copy', null),
            state: copy === null ? ('damaged' as const) : ('ok' as const),
          },
        ]
      : []),
    ...folders.flatMap(({ folder, holds }) =>
      (existsSync(join(dataDir, folder)) ? readdirSync(join(dataDir, folder)) : [])
        .filter(isDatabase)
        .toSorted()
        .map((name) => fileOf(`${folder}/${name}`, holds, names.get(name.slice(0, -3)) ?? null)),
    ),
  ]
}

/** Checks all files of a data folder, the large ones in a worker. Changes nothing in them. */
export function startChecks(parts: {
  dataDir: string
  schemas: readonly FeatureSchema[]
  worker: string
  signal: AbortSignal
}): { files(): CheckedFile[] } {
  const files = listFiles(parts.dataDir, parts.schemas)
  const check = async (): Promise<void> => {
    for (const file of files) {
      if (parts.signal.aborted) return
      if (file.state === 'checking') Object.assign(file, await checkCompletely(parts, file.path))
    }
  }
  void check()
  return {
    files: () => files.toSorted((a, b) => severity.indexOf(a.state) - severity.indexOf(b.state)),
  }
}

async function checkCompletely(
  parts: { dataDir: string; worker: string; signal: AbortSignal },
  relative: string,
): Promise<Pick<CheckedFile, 'state' | 'detail'>> {
  const path = join(parts.dataDir, relative)
  const first = inspectFile(path, [], ['sqlite_schema'])
  if (first.state !== 'ok') return first
  try {
    const damage = await withWorker<FileCheckCalls, string | null>(
      () => new Worker(parts.worker, { name: 'mirror-check' }),
      { signal: parts.signal, canceled: () => new Error('The check was stopped.') },
      async (ask) => {
        for (;;) {
          const { done, damage } = await ask(path)
          if (done) return damage
        }
      },
    )
    return damage === null ? { state: 'ok', detail: null } : { state: 'damaged', detail: damage }
  } catch {
    return { state: 'unreadable', detail: null }
  }
}
