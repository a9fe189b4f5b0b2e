import { implement } from '@orpc/server'
import { clientName } from '../../../server/api/client/client.ts'
import { faults as faultsSchema } from '../../../server/api/dashboard/control.ts'
import { contract } from '../../contract/index.ts'
import { failure, isFailure } from '../failure.ts'
import { isPoint } from './points.ts'
import type { Dashboard, Sandbox } from './sandbox.ts'

/** The latest request of another program that was refused; null if the log has none. */
async function latestRefused(call: Dashboard['call']): Promise<string | null> {
  const { results } = await call('listRequests', {
    query: { limit: 100, withoutClient: clientName },
  })
  return results.find(({ status }) => status >= 400)?.requestId ?? null
}

/** The sandbox changed since the request was shown: another one passes now, or none. */
const otherSuggestion = () =>
  failure(
    'CHANGED_MEANWHILE',
    'Not sent: this request no longer passes in the sandbox.',
    'Read the new explanation, then decide.',
    { effect: 'Nothing was changed.' },
  )

/** The sandbox's time, market, faults, log and snapshots. */
export function createControlRouter({
  dashboard: { call },
  due,
  points,
  restore,
  goBack,
  reset,
  changing,
}: Sandbox) {
  const os = implement(contract.sandbox.control)
  return os.router({
    clock: os.clock.handler(() => call('getClock', {})),
    due: os.due.handler(() => due()),
    advance: os.advance.handler(({ input: body }) =>
      changing(async () => {
        await points.offer('clock')
        return call('advanceClock', { body })
      }),
    ),
    market: os.market.handler(() => call('getMarket', {})),
    startMarket: os.startMarket.handler(({ input: body }) =>
      changing(() => call('startMarket', { body })),
    ),
    stopMarket: os.stopMarket.handler(() => changing(() => call('stopMarket', {}))),
    faults: os.faults.handler(async () => faultsSchema.parse(await call('getFaults', {}))),
    setFaults: os.setFaults.handler(({ input: body }) =>
      changing(async () => faultsSchema.parse(await call('putFaults', { body }))),
    ),
    requests: os.requests.handler(async ({ input: { own = true, ...query } }) => {
      if (own) return { ...(await call('listRequests', { query })), ownHidden: 0 }
      const [others, all] = await Promise.all([
        call('listRequests', { query: { ...query, withoutClient: clientName } }),
        call('listRequests', { query: { ...query, page: 1, limit: 1 } }),
      ])
      return { ...others, ownHidden: all.total - others.total }
    }),
    explain: os.explain.handler(async ({ input }) => {
      const id = input.id ?? (await latestRefused(call))
      return id === null ? null : call('explainRequest', { params: { id } })
    }),
    runSuggestion: os.runSuggestion.handler(({ input: { id, fingerprint } }) =>
      changing(() => call('runSuggestion', { params: { id }, body: { fingerprint } })).catch(
        (error: unknown) => {
          throw isFailure(error, 'VALIDATION_ERROR') ? otherSuggestion() : error
        },
      ),
    ),
    snapshots: os.snapshots.handler(async () => {
      const { results } = await call('listSnapshots', {})
      return { results: results.filter(({ name }) => !isPoint(name)) }
    }),
    points: os.points.handler(async () => ({ results: await points.list() })),
    goBack: os.goBack.handler(({ input: { name } }) => changing(() => goBack(name))),
    saveSnapshot: os.saveSnapshot.handler(({ input: body }) =>
      changing(() => call('createSnapshot', { body })),
    ),
    compareSnapshot: os.compareSnapshot.handler(({ input: { name, to } }) =>
      call('compareSnapshot', { params: { name }, query: to === null ? {} : { to } }),
    ),
    deleteSnapshot: os.deleteSnapshot.handler(({ input: params }) =>
      changing(() => call('deleteSnapshot', { params })),
    ),
    restoreSnapshot: os.restoreSnapshot.handler(({ input: { name } }) =>
      changing(() => restore(name)),
    ),
    reset: os.reset.handler(({ input }) => changing(() => reset(input))),
  })
}
