/** A defect that a test plants into the modules of a simulation. The product has no switch for it. */
export type PlantedBug = {
  name: string
  /** The first seed whose day finds it. */
  seed: number
  changes: readonly { file: string; find: string; replace: string }[]
}

/** At least one of each kind of mistake that the simulation exists for. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'drops outbox entries on restart',
    seed: 3,
    changes: [
      {
        file: 'src/core/outbox/store.ts',
        find: `  db.function('words_of'`,
        replace: `  db.exec("DELETE FROM outbox WHERE state = 'waiting'")
  db.function('words_of'`,
      },
    ],
  },
  {
    name: 'uploads keys again under another Idempotency-Key',
    seed: 10,
    changes: [
      {
        file: 'src/core/key-import/upload/sending.ts',
        find: 'idempotencyKey: request.idempotency_key',
        replace: `idempotencyKey: \`\${request.idempotency_key}-\${performance.now()}\``,
      },
    ],
  },
  {
    name: 'places an order again under another reference',
    seed: 9,
    changes: [
      {
        file: 'src/core/orders/place/order-requests.ts',
        find: `return await createOrder(accountId, attempt, 0, 'person')`,
        replace: `return await createOrder(
          accountId,
          { ...attempt, externalId: attempt.externalId + '-2', idempotencyKey: context.random.id() },
          0,
          'person',
        )`,
      },
    ],
  },
  {
    name: 'ignores Retry-After',
    seed: 2,
    changes: [
      {
        file: 'src/core/service-client/schedule/schedule.ts',
        find: 'held.set(rateClass, latestOf(until, held.get(rateClass) ?? until))',
        replace: 'held.set(rateClass, until && longAgo)',
      },
      {
        file: 'src/core/service-client/schedule/backoff.ts',
        find: 'Math.max(askedMs ?? 0, ',
        replace: 'Math.max(0, ',
      },
    ],
  },
  {
    name: 'uploads keys to another offer',
    seed: 2,
    changes: [
      {
        file: 'src/core/key-import/upload/sending.ts',
        find: '{ params: { id: offerId }, body: { keys',
        replace: `{
          params: { id: ((globalThis as { firstUploaded?: string }).firstUploaded ??= offerId) },
          body: { keys`,
      },
    ],
  },
  {
    name: 'sends more requests than the service allows',
    seed: 1,
    changes: [
      {
        file: 'src/core/service-client/schedule/schedule.ts',
        find: 'if (!isEnforced) return asked',
        replace: 'return asked',
      },
    ],
  },
  {
    name: 'loses a withdrawn key',
    seed: 1,
    changes: [
      {
        file: 'src/core/offers/withdrawals/key-requests.ts',
        find: 'keys.entries()',
        replace: 'keys.slice(1).entries()',
      },
    ],
  },
  {
    name: 'leaves out the Idempotency-Key',
    seed: 3,
    changes: [
      {
        file: 'src/core/service-client/connection.ts',
        find: 'idempotencyKey: options.idempotencyKey,',
        replace: 'idempotencyKey: undefined,',
      },
    ],
  },
  {
    name: 'measures waits by the wall clock',
    seed: 7,
    changes: [
      {
        file: 'src/core/service-client/schedule/schedule.ts',
        find: 'export function createSchedule(clock: Clock, rates: Rates | null): Schedule {',
        replace: `export function createSchedule(given: Clock, rates: Rates | null): Schedule {
  const clock = { ...given, monotonic: () => given.now() as Monotonic }`,
      },
      {
        file: 'src/core/service-client/schedule/schedule.ts',
        find: 'slot?.answered(answeredAt)',
        replace: 'slot?.answered(answeredAt && clock.monotonic())',
      },
    ],
  },
  {
    name: 'stores a withdrawn key in clear',
    seed: 3,
    changes: [
      {
        file: 'src/core/offers/withdrawals/key-requests.ts',
        find: 'masked: maskKey(key)',
        replace: 'masked: key',
      },
    ],
  },
  {
    name: 'gives up an order whose response was lost',
    seed: 9,
    changes: [
      {
        file: 'src/core/orders/place/attempts.ts',
        find: `state: outcome.state === 'unknown' ? 'unknown' : 'refused'`,
        replace: `state: 'refused'`,
      },
    ],
  },
  {
    name: 'alters an imported key',
    seed: 1,
    changes: [
      {
        file: 'src/core/key-import/upload/sending.ts',
        find: 'keys.map(({ key }) => key)',
        replace: `keys.map(({ key }) => key.replace(/0$/, 'O'))`,
      },
    ],
  },
  {
    name: 'subtracts refunds from an order’s total',
    seed: 1,
    changes: [
      {
        file: 'src/core/orders/sync/order-facts.ts',
        find: 'totalCents: order.total',
        replace: 'totalCents: order.total - order.refunded',
      },
    ],
  },
  {
    name: 'pays more than the maximum price',
    seed: 2,
    changes: [
      {
        file: 'src/core/orders/place/order-requests.ts',
        find: 'maxUnitPrice: cents(maxUnitCents)',
        replace: 'maxUnitPrice: cents(maxUnitCents + 500)',
      },
    ],
  },
  {
    name: 'settles a bulk line before its response',
    seed: 7,
    changes: [
      {
        file: 'src/core/offers/bulk/runner.ts',
        find: `store.mark(lines, 'sending')`,
        replace: `store.mark(lines, 'done')`,
      },
    ],
  },
  {
    name: 'sends before it writes',
    seed: 4,
    changes: [
      {
        file: 'src/core/journaled-send/journaled-send.ts',
        find: `  write?.()
  const response = await outcomeOf(send, again)
`,
        replace: `  const response = await outcomeOf(send, again)
  write?.()
`,
      },
    ],
  },
  {
    name: 'keeps the first status of a sale',
    seed: 2,
    changes: [
      {
        file: 'src/core/sales/store.ts',
        find: '${names.map((column) =>',
        replace: "${names.filter((column) => column !== 'status').map((column) =>",
      },
    ],
  },
  {
    name: 'forgets Idempotency-Keys (service)',
    seed: 3,
    changes: [
      {
        file: 'server/domain/orders/idempotency.ts',
        find: `      if (!call) return
      const { orderId`,
        replace: `      if (call !== undefined) return
      const { orderId`,
      },
    ],
  },
  {
    name: 'never reads a balance again',
    seed: 1,
    changes: [
      {
        file: 'src/core/orders/sync/order-sync.ts',
        find: `  store.setBalance(answer.balance, context.clock.now())
  if`,
        replace: `  if (before === null) store.setBalance(answer.balance, context.clock.now())
  if`,
      },
    ],
  },
  {
    name: 'sends a price below its floor',
    seed: 1,
    changes: [
      {
        file: 'src/core/price-watch/rules/bounds.ts',
        find: 'return bound.ok && known.ownFloorCents !== null',
        replace: 'return !bound.ok && known.ownFloorCents !== null',
      },
      {
        file: 'src/core/price-watch/sending/pre-send-check.ts',
        find: 'if (look.ownFloorCents !== null && look',
        replace: 'if (look.ownFloorCents === 0 && look',
      },
    ],
  },
  {
    name: 'files a claim again when its response is lost',
    seed: 10,
    changes: [
      {
        file: 'src/core/claims/sandbox-claims.ts',
        find: `await dashboard.call('createClaim', {
          body: { ...body, ...(screenshot !== null && { screenshot }) },
        })`,
        replace: `await dashboard.call('createClaim', { body }).catch((error) => {
          if (error.certainty !== 'unknown') throw error
          return dashboard.call('createClaim', { body })
        })`,
      },
    ],
  },
  {
    name: 'stores the cursor before its page',
    seed: 24,
    changes: [
      {
        file: 'src/core/catalogue/records/commands.ts',
        find: `dropLateIndexes(db, total ?? null)
`,
        replace: `dropLateIndexes(db, total ?? null)
  else if (nextCursor != null)
    db.transaction(() => writeSyncState(db, { ...readSyncState(db), cursor: nextCursor }))()
`,
      },
    ],
  },
  {
    name: 'stores fewer keys than were delivered',
    seed: 2,
    changes: [
      {
        file: 'src/core/orders/keys/delivered-keys.ts',
        find: 'keys.keep(orderId, kept, now)',
        replace: 'keys.keep(orderId, kept.slice(0, known.size + 1), now)',
      },
    ],
  },
  {
    name: 'sends an answer again when its response is lost',
    seed: 4,
    changes: [
      {
        file: 'src/core/disputes/answers/send-answer.ts',
        find: `lookUp: () => findAnswer(account, answer, connection, 'person'),`,
        replace: `async lookUp() {
      await connection.call(
        'answerDispute',
        { params: { id: disputeId }, body: { body: text } },
        { priority: 'person', once: true, idempotencyKey: context.random.id() },
      )
      return { state: 'done', result: undefined }
    },`,
      },
    ],
  },
  {
    name: 'overlooks an answer whose response was lost',
    seed: 4,
    changes: [
      {
        file: 'src/core/disputes/answers/send-answer.ts',
        find: 'isAmong(messages, text, messagesBefore)',
        replace: 'isAmong(messages, text, messagesBefore + 1)',
      },
    ],
  },
]
