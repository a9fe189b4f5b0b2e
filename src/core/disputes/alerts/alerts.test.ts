import { expect, test } from 'vitest'
import { join } from 'node:path'
import { formatMessage, localized } from '../../../contract/localization/localized.ts'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import { openDatabase } from '../../mirror/database/open-database.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { newAlerts, groupAlerts } from './alerts.ts'
import { alarmingBatches } from './batch-alarms.ts'
import { disputeFacts } from '../sync/facts.ts'
import { disputesSchemas } from '../schema.ts'
import { disputeStore } from '../store.ts'
import { formatMessages } from '../../testing/format-messages.ts'

const HOUR = 3_600_000
const opened = Date.UTC(2026, 0, 5, 9)
const escalates = opened + 72 * HOUR

test('notifies once each at 12 hours and 2 hours before escalation, and never about an answered dispute', () => {
  const folder = temporaryFolder()
  const db = openDatabase(join(folder.path, 'mirror.db'), [catalogueSchema, ...disputesSchemas])
  const store = disputeStore(db)
  const write = (id: string, authors: readonly string[]): void =>
    store.transaction(() => {
      store.put(
        disputeFacts(
          {
            id,
            status: 'open',
            name: id,
            openedAt: new Date(opened).toISOString(),
            escalatesAt: new Date(escalates).toISOString(),
          },
          id,
        ),
        { reason: null, fingerprint: null },
        1,
        opened,
      )
      store.putConversation(
        id,
        {
          bodies: false,
          others: 1,
          attachments: [],
          messages: authors.map((author, position) => ({
            position,
            author,
            body_sealed: null,
            at: opened,
          })),
        },
        opened,
      )
    })
  write('dsp_1', ['customer'])
  write('dsp_2', ['customer', 'seller'])
  expect(newAlerts(db, opened, false)).toMatchObject([{ kind: 'dispute-new', disputeId: 'dsp_1' }])
  expect(newAlerts(db, opened, false)).toEqual([])
  expect(formatMessages(newAlerts(db, escalates - 11 * HOUR, false))).toMatchObject([
    { kind: 'dispute-due', text: 'Less than 12 hours left to answer.' },
  ])
  expect(newAlerts(db, escalates - 10 * HOUR, false)).toEqual([])
  expect(formatMessages(newAlerts(db, escalates - HOUR, false))).toMatchObject([
    { kind: 'dispute-due', text: 'Less than 2 hours left to answer.' },
  ])
  write('dsp_2', ['customer', 'seller', 'customer'])
  expect(newAlerts(db, escalates - HOUR, true)).toEqual([])
  expect(newAlerts(db, escalates - HOUR, false)).toEqual([])
  db.close()
  folder.remove()
})

test('counts disputes instead of naming them if there are many', () => {
  const some = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      kind: 'dispute-new' as const,
      disputeId: `dsp_${at}`,
      name: `Game ${at}`,
      text: localized('disputes.new-problem'),
    }))
  expect(groupAlerts(some(2)).map(({ title, path }) => `${formatMessage(title)} ${path}`)).toEqual([
    'New dispute: Game 0 /disputes/dsp_0',
    'New dispute: Game 1 /disputes/dsp_1',
  ])
  expect(groupAlerts(some(9)).map(({ title, path }) => `${formatMessage(title)} ${path}`)).toEqual([
    '9 new disputes /disputes',
  ])
})

test('raises a batch alarm from the set number and share of disputes on, worst first', () => {
  const batch = (keys: number, claimed: number) => ({ keys, claimed })
  const batches = [batch(240, 9), batch(10, 2), batch(1000, 29), batch(50, 3), batch(100, 3)]
  expect(alarmingBatches(batches, { alarmClaims: 3, alarmPercent: 3 })).toEqual([
    batch(50, 3),
    batch(240, 9),
    batch(100, 3),
  ])
  expect(alarmingBatches(batches, { alarmClaims: 2, alarmPercent: 10 })).toEqual([batch(10, 2)])
  expect(alarmingBatches(batches, { alarmClaims: 1, alarmPercent: 0 })).toHaveLength(5)
})
