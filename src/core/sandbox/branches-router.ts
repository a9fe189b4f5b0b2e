import { implement } from '@orpc/server'
import type { ResponseBody } from '../../../server/api/handlers.ts'
import { contract } from '../../contract/index.ts'
import { failure } from '../failure.ts'
import { addressesOf, secretOf } from './addresses.ts'
import type { Sandbox } from './sandbox.ts'

type Branch = ResponseBody<'createBranch'>

/** Hides the token and the keys. */
const viewOf = (branch: Branch) => ({
  ...addressesOf(branch),
  id: branch.id,
  createdAt: branch.createdAt ?? null,
})

/** Branches of the sandbox. */
export function createBranchesRouter({ dashboard: { call }, changing, learn }: Sandbox) {
  const os = implement(contract.sandbox.branches)
  return os.router({
    list: os.list.handler(async () => ({
      results: (await call('listBranches', {})).results.map(viewOf),
    })),
    create: os.create.handler(() => changing(async () => viewOf(await call('createBranch', {})))),
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
