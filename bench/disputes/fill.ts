import type { Database } from 'better-sqlite3'
import { disputeFacts } from '../../src/core/disputes/sync/facts.ts'
import { disputeStore } from '../../src/core/disputes/store.ts'

const HOUR = 3_600_000
/** Names of the disputed products, each with a number. */
export const disputedNames = [
  'Ironwharf',
  'Cinderkeep',
  'Farspire Online',
  'Last Orbit',
  'Nightjar',
  'Deeproot Valley',
  'Velvet Syndicate',
]
const said = [
  'It says the code was already used',
  'Der Code ist ungültig',
  'Region error',
  'Le lien est expiré',
  'Something is wrong',
]
/**
 * Fills a mirror with a number of disputes and messages per dispute; one dispute in fifty isn't
 * resolved.
 */
export function fillDisputes(db: Database, disputes: number, messages: number): void {
  db.pragma('synchronous = NORMAL')
  const store = disputeStore(db)
  const now = Date.now()
  for (let from = 0; from < disputes; from += 1000) {
    store.transaction(() => {
      for (let at = from; at < Math.min(disputes, from + 1000); at += 1) {
        const id = `dsp_${at.toString(36).padStart(8, '0')}`
        const openedAt = now - (at * HOUR) / 4
        const open = at % 50 === 0
        const text = said[at % said.length] ?? ''
        store.put(
          disputeFacts(
            {
              id,
              saleId: `sal_${at}`,
              orderId: `ord_${at % 30_000}`,
              offerId: `off_${at % 900}`,
              productId: `p${at % 900}`,
              name: `${disputedNames[at % disputedNames.length] ?? ''} ${at % 90}`,
              reason: text,
              status: open ? 'open' : 'resolved',
              openedAt: new Date(openedAt).toISOString(),
              updatedAt: new Date(openedAt).toISOString(),
              escalatesAt: open ? new Date(openedAt + 72 * HOUR).toISOString() : null,
              resolution: open
                ? null
                : { type: 'replaced', at: new Date(openedAt + HOUR).toISOString() },
            },
            id,
          ),
          { reason: Buffer.alloc(80), fingerprint: null },
          1,
          now,
        )
        store.putConversation(
          id,
          {
            bodies: true,
            others: Math.ceil(messages / 2),
            attachments: [],
            messages: Array.from({ length: messages }, (_, position) => ({
              position,
              author: position % 2 === 0 ? 'customer' : 'seller',
              body_sealed: Buffer.alloc(160),
              at: openedAt + position * HOUR,
            })),
          },
          now,
        )
      }
    })
  }
}
