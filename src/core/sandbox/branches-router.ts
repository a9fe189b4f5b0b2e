import { implement } from '@orpc/server'
import type { ResponseBody } from '../../../server/api/handlers.ts'
import { contract } from '../../contract/index.ts'
import {
  readWorldFile,
  type WorldFile,
  type WorldFileProblem,
} from '../../../server/api/dashboard/worlds.ts'
import { type Failure, failure } from '../failure.ts'
import { addressesOf, secretOf } from './addresses.ts'
import type { Sandbox } from './sandbox.ts'

type Branch = ResponseBody<'createBranch'>

/** Hides the token and the keys. */
const viewOf = (branch: Branch) => ({
  ...addressesOf(branch),
  id: branch.id,
  createdAt: branch.createdAt ?? null,
  name: branch.name ?? null,
  replay: branch.replay ?? null,
})

const worldFailures: Readonly<Record<WorldFileProblem, () => Failure>> = {
  foreign: () =>
    failure(
      'WORLD_FILE',
      'This isn’t a world file.',
      'Choose a file that GET /dashboard/world or save() of keydesk-sandbox wrote.',
      { effect: 'Nothing was opened.' },
    ),
  damaged: () =>
    failure(
      'WORLD_FILE',
      'This world file is damaged or incomplete.',
      'Ask for it again, as an attachment rather than as text.',
      { effect: 'Nothing was opened.' },
    ),
  newer: () =>
    failure(
      'WORLD_FILE',
      'A newer version of the sandbox saved this world file.',
      'Update Keydesk, then open it again.',
      { effect: 'Nothing was opened.' },
    ),
}

/** Reads a world file. Throws Failure `WORLD_FILE`. */
function worldOf(text: string): WorldFile {
  const read = readWorldFile(text)
  if (typeof read === 'string') throw worldFailures[read]()
  return read
}

/** Branches of the sandbox. */
export function createBranchesRouter({ dashboard: { call }, changing, learn }: Sandbox) {
  const os = implement(contract.sandbox.branches)
  return os.router({
    list: os.list.handler(async () => ({
      results: (await call('listBranches', {})).results.map(viewOf),
    })),
    create: os.create.handler(({ input: body }) =>
      changing(async () => viewOf(await call('createBranch', { body }))),
    ),
    inspect: os.inspect.handler(({ input }) => {
      const { seed, products, at, requests } = worldOf(input.text)
      return {
        seed,
        products,
        at: Date.parse(at),
        requests: requests.map(({ method, path, answer }) => ({
          method,
          path,
          status: answer.status,
        })),
      }
    }),
    open: os.open.handler(({ input: { text, name, requests } }) => {
      const file = worldOf(text)
      const world = { ...file, requests: file.requests.slice(0, requests) }
      return changing(async () => viewOf(await call('createBranch', { body: { name, world } })))
    }),
    end: os.end.handler(({ input: params }) => changing(() => call('deleteBranch', { params }))),
    secret: os.secret.handler(async ({ input: { id, which } }) => {
      const { results } = await call('listBranches', {})
      const branch = results.find((each) => each.id === id)
      if (branch === undefined)
        throw failure('NOT_FOUND', 'This branch has ended.', 'Create another one.')
      const value = secretOf(branch, which)
      learn(value)
      return { value }
    }),
  })
}
