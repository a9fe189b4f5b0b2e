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

const viewOf = (id: string, { ready: _ready, ...addresses }: Ready) => ({ id, ...addresses })

/**
 * @param copyTo copies the present data into an empty folder
 * @param start starts a service in a folder, which is deleted when the service stops or can't
 *   start; `no` counts the branches
 */
export function createBranches(
  copyTo: (folder: string) => void,
  start: (folder: WorkFolder, no: number) => Promise<Sandbox>,
): Branches {
  const branches = new Map<string, Sandbox>()
  let made = 0

  async function create(): Promise<{ id: string; ready: Ready }> {
    if (branches.size >= MAX_BRANCHES)
      throw new ApiError(
        'VALIDATION_ERROR',
        `There are ${MAX_BRANCHES} branches. Delete one first.`,
      )
    const folder = workFolder(null)
    try {
      copyTo(folder.path)
    } catch (error) {
      folder.leave()
      throw error
    }
    made += 1
    const id = `br_${made}`
    const sandbox = await start(folder, made)
    branches.set(id, sandbox)
    return { id, ready: sandbox.ready }
  }

  return {
    handlers: {
      createBranch: async () => {
        const { id, ready } = await create()
        return { status: 201, body: viewOf(id, ready) }
      },
      listBranches: () => ({
        status: 200,
        body: {
          results: [...branches].map(([id, { ready }]) => ({ id, baseUrl: ready.baseUrl })),
        },
      }),
      deleteBranch: async (_call, { params }) => {
        const branch = branches.get(params.id)
        if (branch === undefined) throw new ApiError('NOT_FOUND', 'Branch not found.')
        branches.delete(params.id)
        await branch.stop()
        return { status: 204 }
      },
    },
    async stop() {
      await Promise.all([...branches.values()].map((branch) => branch.stop()))
      branches.clear()
    },
  }
}
