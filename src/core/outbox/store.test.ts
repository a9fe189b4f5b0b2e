import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { localized } from '../../contract/localization/localized.ts'
import { formatMessages } from '../testing/format-messages.ts'
import { emptyFacts } from './compare/compare-facts.ts'
import { outboxSchema } from './schema.ts'
import { openOutboxStore } from './store.ts'

it('lists the events and the reason of an entry that an older version stored', () => {
  const db = new Database(':memory:')
  for (const step of outboxSchema.steps) db.exec(step)
  const store = openOutboxStore(db)
  store.add({
    entryId: 'e',
    kind: 'offer-price',
    subjectId: 'off_1',
    title: 'Ironwharf',
    subtitle: '',
    seen: emptyFacts,
    seenAt: 1,
    wanted: emptyFacts,
    textSealed: null,
    writtenAt: 1,
  })
  db.exec(`
    UPDATE outbox SET verdict = 'decide', reason = 'It’s behind now.';
    INSERT INTO outbox_events (entry_id, position, at, what, detail) VALUES
      ('e', 0, 1, 'Last seen on the service', 'Price 12.85'), ('e', 1, 2, 'You typed 12.40', '')`)
  store.note('e', 3, localized('outbox.compared-price', { price: 127_000 }), null)
  expect(formatMessages(store.find('e')?.reason)).toBe('It’s behind now.')
  expect(formatMessages(store.events('e'))).toEqual([
    { at: 1, what: 'Last seen on the service', detail: 'Price 12.85' },
    { at: 2, what: 'You typed 12.40', detail: null },
    { at: 3, what: 'Compared: 1,270.00', detail: null },
  ])
  db.close()
})
