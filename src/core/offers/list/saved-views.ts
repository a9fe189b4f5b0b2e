import type { InferContractRouterInputs } from '@orpc/contract'
import type { Database } from 'better-sqlite3'
import type { Contract } from '../../../contract/index.ts'
import { savedViewSchema } from '../../../contract/offers/offers.ts'
import type { SavedView } from '../../../contract/offers/offers.ts'
import { failure } from '../../failure.ts'
import type { OffersContext } from '../context.ts'

type Inputs = InferContractRouterInputs<Contract['offers']>
type Row = { view_id: string; name: string; look: string }
const viewOf = ({ view_id: viewId, name, look }: Row): SavedView =>
  savedViewSchema.parse({ viewId, name, look: JSON.parse(look) as unknown })

/** Saved views of the offers table: filters, order and columns. */
export function createSavedViews(
  context: Pick<OffersContext, 'clock' | 'random' | 'changes'>,
  database: (accountId: string) => Database,
) {
  return {
    /** Sorted by name. */
    list: ({ accountId }: Inputs['savedViews']): SavedView[] =>
      (
        database(accountId)
          .prepare('SELECT view_id, name, look FROM offer_views ORDER BY name COLLATE NOCASE')
          .all() as Row[]
      ).map(viewOf),
    /** Saves a layout under a name, and overwrites an existing view of that name. */
    save({ accountId, name, look }: Inputs['saveView']): SavedView {
      const view = savedViewSchema.parse({ viewId: context.random.id(), name, look })
      const row = database(accountId)
        .prepare(
          `
        INSERT INTO offer_views (view_id, name, look, written_at) VALUES (:viewId, :name, :look, :at)
        ON CONFLICT (name) DO UPDATE
        SET name = excluded.name, look = excluded.look, written_at = excluded.written_at
        RETURNING view_id, name, look`,
        )
        .get({
          viewId: view.viewId,
          name: view.name,
          look: JSON.stringify(view.look),
          at: context.clock.now(),
        }) as Row
      context.changes.notify('offers', accountId)
      return viewOf(row)
    },
    /** Throws Failure `NOT_FOUND`, or `CONFLICT` when another view has the name. */
    rename({ accountId, viewId, name }: Inputs['renameView']): SavedView {
      const db = database(accountId)
      const other = db
        .prepare(
          'SELECT 1 FROM offer_views WHERE name = :name COLLATE NOCASE AND view_id <> :viewId',
        )
        .get({ name, viewId })
      if (other !== undefined)
        throw failure('CONFLICT', `A view named ${name} already exists.`, 'Choose another name.', {
          effect: 'The view keeps its old name.',
        })
      const row = db
        .prepare(
          'UPDATE offer_views SET name = :name WHERE view_id = :viewId RETURNING view_id, name, look',
        )
        .get({ viewId, name }) as Row | undefined
      if (row === undefined)
        throw failure('NOT_FOUND', 'This view no longer exists.', 'Save it again.', {
          effect: 'Nothing was changed.',
        })
      context.changes.notify('offers', accountId)
      return viewOf(row)
    },
    remove({ accountId, viewId }: Inputs['removeView']): void {
      database(accountId).prepare('DELETE FROM offer_views WHERE view_id = :viewId').run({ viewId })
      context.changes.notify('offers', accountId)
    },
  }
}
