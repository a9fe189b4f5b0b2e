import { type FieldProblem, validationError } from '../../api/errors.ts'
import { type Handlers, withFieldCheck } from '../../api/handlers.ts'
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
   * A name becomes that of a file, so only names that could have been saved are accepted. Returns
   * the problem of another one.
   */
  function nameProblems(name: string | null | undefined, field = 'name'): FieldProblem[] {
    if (name == null) return []
    const { error } = snapshotRequest.safeParse({ name })
    return (error?.issues ?? []).map(({ message }) => ({ field, message }))
  }
  function checked(name: string, field = 'name'): string {
    const problems = nameProblems(name, field)
    if (problems.length > 0) throw validationError(...problems)
    return name
  }

  return {
    createSnapshot: async (_call, { body }) => ({
      status: 200,
      body: view(await snapshots.save(body.name)),
    }),
    listSnapshots: () => ({ status: 200, body: { results: snapshots.list().map(view) } }),
    compareSnapshot: withFieldCheck<'compareSnapshot'>(
      ({ params, query }) => [...nameProblems(query.to, 'to'), ...nameProblems(params.name)],
      async (_call, { params, query }) => {
        const to = query.to === undefined ? null : checked(query.to, 'to')
        const found = await snapshots.compare(checked(params.name), to)
        const results = found.slice(0, MAX_DIFFERENCES).map((difference) => ({
          area: difference.area,
          id: difference.id,
          text: differenceText(difference),
        }))
        return { status: 200, body: { from: params.name, to, total: found.length, results } }
      },
    ),
    deleteSnapshot: withFieldCheck<'deleteSnapshot'>(
      ({ params }) => nameProblems(params.name),
      (_call, { params }) => {
        snapshots.remove(checked(params.name))
        return { status: 204 }
      },
    ),
    restoreSnapshot: withFieldCheck<'restoreSnapshot'>(
      ({ params }) => nameProblems(params.name),
      async (_call, { params }) => ({
        status: 200,
        body: view(await restore(checked(params.name))),
      }),
    ),
  } satisfies Handlers
}
