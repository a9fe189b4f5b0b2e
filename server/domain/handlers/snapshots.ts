import { validationError } from '../../api/errors.ts'
import type { Handlers } from '../../api/handlers.ts'
import { snapshotRequest } from '../../api/dashboard/control.ts'
import { instantText } from '../context.ts'
import type { SnapshotFacts } from '../ports/snapshots.ts'
import { differenceText } from '../snapshots/difference-text.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'

const MAX_DIFFERENCES = 1000

/**
 * Snapshots on the dashboard interface. `restore` replaces the present state while no due work
 * runs.
 */
export function snapshotHandlers(
  snapshots: Snapshots,
  restore: (name: string) => Promise<SnapshotFacts>,
) {
  const view = ({ name, createdAt, bytes }: SnapshotFacts) => ({
    name,
    createdAt: instantText(createdAt),
    bytes,
  })

  /**
   * The name in the path becomes a file name, so only names that could have been saved are
   * accepted.
   */
  function checked(name: string): string {
    const parsed = snapshotRequest.safeParse({ name })
    if (!parsed.success)
      throw validationError({
        field: 'name',
        message: parsed.error.issues[0]?.message ?? "isn't valid",
      })
    return parsed.data.name
  }

  return {
    createSnapshot: async (_call, { body }) => ({
      status: 200,
      body: view(await snapshots.save(body.name)),
    }),
    listSnapshots: () => ({ status: 200, body: { results: snapshots.list().map(view) } }),
    compareSnapshot: async (_call, { params, query }) => {
      const to = query.to === undefined ? null : checked(query.to)
      const found = await snapshots.compare(checked(params.name), to)
      const results = found.slice(0, MAX_DIFFERENCES).map((difference) => ({
        area: difference.area,
        id: difference.id,
        text: differenceText(difference),
      }))
      return { status: 200, body: { from: params.name, to, total: found.length, results } }
    },
    deleteSnapshot: (_call, { params }) => {
      snapshots.remove(checked(params.name))
      return { status: 204 }
    },
    restoreSnapshot: async (_call, { params }) => ({
      status: 200,
      body: view(await restore(checked(params.name))),
    }),
  } satisfies Handlers
}
