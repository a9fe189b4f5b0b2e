import type { Place } from '../open-list.tsx'

/** The lists of a seller that Today's numbers lead to. */
export const offersIn = (view: 'all' | 'empty' | 'low-stock'): Place => ({
  path: '/offers',
  list: { tableId: 'offers', look: { view } },
})
export const offer = (offerId: string): Place => ({
  path: `/offers/${encodeURIComponent(offerId)}`,
  list: { tableId: 'offers', look: {} },
})
export const disputesIn = (view: 'needs-answer' | 'waiting' | 'escalated' | 'snoozed'): Place => ({
  path: '/disputes',
  list: { tableId: 'disputes', look: { view } },
})
export const dispute = (disputeId: string): Place => ({
  path: `/disputes/${encodeURIComponent(disputeId)}`,
  list: { tableId: 'disputes', look: { view: 'needs-answer' } },
})
export const marketIn = (tab: 'losing' | 'proposals' | 'all'): Place => ({
  path: '/watch',
  list: { tableId: 'price-watch', look: { tab } },
})
export const salesIn = (view: 'all' | 'pending' | 'held'): Place => ({
  path: view === 'all' ? '/sales' : `/sales?view=${view}`,
  list: { tableId: 'sales', look: { period: 'all', view } },
})
/** The sales of the last 30 days. */
export const salesOfMonth: Place = {
  path: '/sales',
  list: { tableId: 'sales', look: { period: '30', view: 'all' } },
}
/** The sales of the day that starts at this moment. */
export const salesOfDay = (day: number): Place => ({ path: `/sales?day=${day}` })
export const batch = (batchId: string): Place => ({
  path: `/batches/${encodeURIComponent(batchId)}`,
})
