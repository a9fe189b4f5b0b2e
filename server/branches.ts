/**
 * Branches: separate services in this process, each with a copy of all data in a temporary folder.
 * A test can change one without affecting another.
 */
import type { z } from 'zod'
import type { branchRequest } from './api/dashboard/control.ts'
import type { WorldFile } from './api/dashboard/worlds.ts'
import { ApiError } from './api/errors.ts'
import type { Handlers } from './api/handlers.ts'
import { type WorkFolder, workFolder } from './data-folder.ts'
import type { Ready, Sandbox } from './sandbox-types.ts'
import type { OpenedWorld } from './worlds/replay.ts'
import { replayReport } from './worlds/report.ts'

/** Each branch holds a database and a port. */
const MAX_BRANCHES = 200

type BranchRequest = z.output<typeof branchRequest>

export type Branches = {
  readonly handlers: Pick<Handlers, 'createBranch' | 'listBranches' | 'deleteBranch'>
  /** Stops all branches and deletes their data. */
  stop(): Promise<void>
}

/** Differences that the report of a replay lists. */
const MAX_REPORTED = 20

type Replay = {
  readonly requests: number
  readonly different: number
  readonly report: string
}
type Branch = {
  readonly createdAt: string
  readonly name: string | null
  readonly sandbox: Sandbox
  /** Null for a copy of the present data. */
  readonly replay: Replay | null
}

const viewOf = (id: string, { createdAt, name, replay, sandbox }: Branch) => {
  const { ready: _ready, ...addresses }: Ready = sandbox.ready
  return { id, ...addresses, createdAt, name, replay }
}

/** The result of a world file's replay, in the form of the interface. */
const replayOf = (file: WorldFile, { differences }: OpenedWorld): Replay => ({
  requests: file.requests.length,
  different: differences.length,
  report: replayReport(file, differences, MAX_REPORTED),
})

/**
 * @param copyTo copies the present data into an empty folder
 * @param start starts a service in a folder, which is deleted when the service stops or can't
 *   start; `no` counts the branches
 * @param open starts a service from a world file
 * @param now the service's clock, in milliseconds since 1970
 */
export function createBranches(
  copyTo: (folder: string) => void,
  start: (folder: WorkFolder, no: number) => Promise<Sandbox>,
  open: (file: WorldFile) => Promise<OpenedWorld>,
  now: () => number,
): Branches {
  const branches = new Map<string, Branch>()
  let made = 0

  async function copied(no: number): Promise<Pick<Branch, 'sandbox' | 'replay'>> {
    const folder = workFolder(null)
    try {
      copyTo(folder.path)
    } catch (error) {
      folder.leave()
      throw error
    }
    return { sandbox: await start(folder, no), replay: null }
  }

  async function opened(file: WorldFile): Promise<Pick<Branch, 'sandbox' | 'replay'>> {
    const world = await open(file)
    return { sandbox: world.sandbox, replay: replayOf(file, world) }
  }

  async function create({ name, world }: BranchRequest): Promise<[string, Branch]> {
    if (branches.size >= MAX_BRANCHES)
      throw new ApiError(
        'VALIDATION_ERROR',
        `There are ${MAX_BRANCHES} branches. Delete one first.`,
      )
    const createdAt = new Date(now()).toISOString()
    made += 1
    const id = `br_${made}`
    const branch = {
      createdAt,
      name: name ?? null,
      ...(await (world === undefined ? copied(made) : opened(world))),
    }
    branches.set(id, branch)
    return [id, branch]
  }

  return {
    handlers: {
      createBranch: async (_call, { body = {} }) => {
        return { status: 201, body: viewOf(...(await create(body))) }
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
