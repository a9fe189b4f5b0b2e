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
  fits: (entry: Pick<ActivityEntry, 'what' | 'outcome'>) => boolean
}

const request =
  (method: string, path: RegExp): FirstStep['fits'] =>
  ({ what, outcome }) =>
    outcome === 'ok' &&
    what.code === 'activity.request' &&
    what.values['method'] === method &&
    path.test(String(what.values['path']))
const action =
  (...codes: string[]): FirstStep['fits'] =>
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
