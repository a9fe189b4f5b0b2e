import type { Role } from '../../../contract/app/accounts.ts'
import type { ActivityEntry } from '../../../contract/app/app.ts'
import type { Place } from './open-list.tsx'

export interface FirstStep {
  id: string
  title: string
  text: string
  place: Place
  /** Words that find the step's entries in the activity. */
  query: string
  /** Whether an entry of the activity is this step, done by this console. */
  fits: Fits
  /** Whether stored data proves the step, even if the activity was cleared of old entries. */
  isProven?: (stored: Stored) => boolean
}

type Fits = (entry: Pick<ActivityEntry, 'what' | 'outcome'>) => boolean
/** Data of this computer, stored with the actions themselves. */
type Stored = { batches: number }

/** Whether a step was done, by its entries in the activity or by stored data. */
export const isDone = (
  { fits, isProven }: Pick<FirstStep, 'fits' | 'isProven'>,
  entries: readonly Parameters<Fits>[0][],
  stored: Stored,
): boolean => isProven?.(stored) === true || entries.some(fits)

const request =
  (method: string, path: RegExp): Fits =>
  ({ what, outcome }) =>
    outcome === 'ok' &&
    what.code === 'activity.request' &&
    what.values['method'] === method &&
    path.test(String(what.values['path']))
const action =
  (...codes: string[]): Fits =>
  ({ what, outcome }) =>
    outcome === 'ok' && codes.includes(what.code)

/**
 * The first steps in a sandbox. The activity shows which ones were done: a demo account also has
 * orders and disputes that no one handled here.
 */
export const firstSteps: Record<Role, readonly FirstStep[]> = {
  seller: [
    {
      id: 'import',
      title: 'Import keys',
      text: 'Import keys offers a sample file for your first offers.',
      place: { path: '/import' },
      query: 'POST keys',
      fits: request('POST', /^\/offers\/.+\/keys$/),
      isProven: ({ batches }) => batches > 0,
    },
    {
      id: 'price',
      title: 'Change an offer’s price or status',
      text: 'Click a price in the list, type, and press Enter. Ctrl+Z undoes it.',
      place: { path: '/offers' },
      query: 'PATCH offers',
      fits: request('PATCH', /^\/offers\/[^/]+$/),
    },
    {
      id: 'dispute',
      title: 'Answer a dispute',
      text: 'Reply, replace the key or refund it before its time ends.',
      place: { path: '/disputes' },
      query: 'POST disputes',
      fits: request('POST', /^\/disputes\/.+\/(?:messages|replace|refund)$/),
    },
  ],
  partner: [
    {
      id: 'order',
      title: 'Place an order',
      text: 'Choose a product, a quantity and the highest price you accept.',
      place: { path: '/orders/new' },
      query: 'POST orders',
      fits: request('POST', /^\/orders$/),
    },
    {
      id: 'reveal',
      title: 'Reveal a key',
      text: 'Open an order, download its keys and reveal one.',
      place: { path: '/orders' },
      query: 'revealed',
      fits: action('orders.key-revealed'),
    },
    {
      id: 'claim',
      title: 'File a claim',
      text: 'Mark a key that doesn’t work, add a picture and send it.',
      place: { path: '/keys' },
      query: 'claim',
      fits: action('claims.filed', 'claims.sent-to-support'),
    },
  ],
}
