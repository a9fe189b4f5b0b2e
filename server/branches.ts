/**
 * Branches: separate services in this process, each with a copy of all data in a temporary folder.
 * A test can change one without affecting another.
 */
import { ApiError } from './api/errors.ts'
import type { Handlers } from './api/handlers.ts'
import { type WorkFolder, workFolder } from './data-folder.ts'
import type { Ready, Sandbox } from './sandbox-types.ts'

/** Each branch holds a database and a port. */
const MAX_BRANCHES = 200

export type Branches = {
  readonly handlers: Pick<Handlers, 'createBranch' | 'listBranches' | 'deleteBranch'>
  /** Stops all branches and deletes their data. */
  stop(): Promise<void>
}

type Branch = { readonly createdAt: string; readonly sandbox: Sandbox }

const viewOf = (id: string, { createdAt, sandbox }: Branch) => {
  const { ready: _ready, ...addresses }: Ready = sandbox.ready
  return { id, ...addresses, createdAt }
}

/**
 * @param copyTo copies the present data into an empty folder
 * @param start starts a service in a folder, which is deleted when the service stops or can't
 *   start; `no` counts the branches
 * @param now the service's clock, in milliseconds since 1970
 */
export function createBranches(
  copyTo: (folder: string) => void,
  start: (folder: WorkFolder, no: number) => Promise<Sandbox>,
  now: () => number,
): Branches {
  const branches = new Map<string, Branch>()
  let made = 0

  async function create(): Promise<readonly [id: string, branch: Branch]> {
    if (branches.size >= MAX_BRANCHES)
      throw new ApiError(
        'VALIDATION_ERROR',
        `There are ${MAX_BRANCHES} branches. Delete one first.`,
      )
    const folder = workFolder(null)
    const createdAt = new Date(now()).toISOString()
    try {
      copyTo(folder.path)
    } catch (error) {
      folder.leave()
      throw error
    }
    made += 1
    const id = `br_${made}`
    const branch = { createdAt, sandbox: await start(folder, made) }
    branches.set(id, branch)
    return [id, branch]
  }

  return {
    handlers: {
      createBranch: async () => {
        return { status: 201, body: viewOf(...(await create())) }
      },
      listBranches: () => ({
        status: 200,
        body: { results: [...branches].map(([id, branch]) => viewOf(id, branch)) },
      }),
      deleteBranch: async (_call, { params }) => {
        const branch = branches.get(params.id)
        if (branch === undefined) throw new ApiError('NOT_FOUND', 'Branch not found.')
        branches.delete(params.id)
        await branch.sandbox.stop()
        return { status: 204 }
      },
    },
    async stop() {
      await Promise.all([...branches.values()].map(({ sandbox }) => sandbox.stop()))
      branches.clear()
    },
  }
}
