import { validationError } from '../../api/errors.ts'
import type { Handlers } from '../../api/handlers.ts'
import { snapshotRequest } from '../../api/dashboard/control.ts'
import { instantText } from '../context.ts'
import type { SnapshotFacts } from '../ports/snapshots.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'

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
