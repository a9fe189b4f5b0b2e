import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import type { ServiceConnection } from '../../context.ts'
import { Failure, failure } from '../../failure.ts'
import { migrate } from '../../mirror/database/migrate.ts'
import { createTestContext } from '../../testing/context.ts'
import { createAttempts } from './attempts.ts'
import { ordersSchemas } from '../orders.ts'
import { createOrderStore } from '../store.ts'

test("doesn't resend an order that was rejected while others were being finished", async () => {
  const world = await createTestContext()
  const db = new SqliteDatabase(':memory:')
  migrate(db, ordersSchemas)
  const store = createOrderStore(db)
  const sent: string[] = []
  const answers = new Map<string, (code: ProblemCode) => void>()
  const line = {
    call: (_operation: string, { body }: { body: { externalId: string } }) =>
      new Promise((_resolve, reject) => {
        const answer = (code: ProblemCode): void =>
          reject(failure(code, 'Reported by the test.', 'Wait.'))
        if (sent.includes('second') && body.externalId === 'second') answer('ANSWER_LOST')
        sent.push(body.externalId)
        answers.set(body.externalId, answer)
      }),
  } as unknown as ServiceConnection
  const attempts = createAttempts({ ...world.context, connection: () => line }, () => store, {
    learn: () => {},
  })
  const place = (externalId: string) =>
    attempts.place('account', { externalId, lines: [], waitSeconds: 0 })

  const first = place('first')
  answers.get('first')?.('ANSWER_LOST')
  await first
  const second = place('second')
  const settling = attempts.settleOpen('account')
  answers.get('second')?.('RATE_LIMITED')
  expect(await second).toMatchObject({ state: 'refused' })
  answers.get('first')?.('ANSWER_LOST')
  expect(await settling).toBe(false)

  expect(sent).toEqual(['first', 'second', 'first'])
  db.close()
  world.dispose()
})

test('keeps an attempt open when the service rejects the lookup of its order', async () => {
  const world = await createTestContext()
  const db = new SqliteDatabase(':memory:')
  migrate(db, ordersSchemas)
  const store = createOrderStore(db)
  const called: string[] = []
  const answers: ProblemCode[] = ['ANSWER_LOST', 'DUPLICATE_EXTERNAL_ID', 'VALIDATION_ERROR']
  const line = {
    call: (operation: string) => {
      called.push(operation)
      const { problem } = failure(answers.shift() ?? 'INTERNAL', 'Reported by the test.', 'Wait.')
      return Promise.reject(
        new Failure(
          problem,
          problem.code === 'ANSWER_LOST'
            ? { certainty: 'unknown', retry: 'ask' }
            : { certainty: 'rejected', retry: 'never' },
        ),
      )
    },
  } as unknown as ServiceConnection
  const attempts = createAttempts({ ...world.context, connection: () => line }, () => store, {
    learn: () => {},
  })

  const { attemptId } = await attempts.place('account', {
    externalId: 'first',
    lines: [],
    waitSeconds: 0,
  })
  expect(await attempts.settle('account', attemptId)).toMatchObject({
    state: 'unknown',
    problem: { code: 'VALIDATION_ERROR' },
  })
  expect(called).toEqual(['createOrder', 'createOrder', 'listOrders'])
  db.close()
  world.dispose()
})
