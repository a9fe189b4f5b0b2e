/** A defect that a test plants into the modules of a simulation. The product has no switch for it. */
export type PlantedBug = {
  name: string
  /** The first seed whose day finds it. */
  seed: number
  changes: readonly { file: string; find: string; replace: string }[]
}

/** One of each kind of mistake that the simulation exists for. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'drops outbox entries on restart',
    seed: 2,
    changes: [
      {
        file: 'src/core/outbox/store.ts',
        find: "  db.function('words_of'",
        replace: `  db.exec("DELETE FROM outbox WHERE state = 'waiting'")\n  db.function('words_of'`,
      },
    ],
  },
  {
    name: 'uploads keys again under another Idempotency-Key',
    seed: 2,
    changes: [
      {
        file: 'src/core/key-import/upload/sending.ts',
        find: 'idempotencyKey: request.idempotency_key',
        // oxlint-disable-next-line eslint/no-template-curly-in-string -- Source text to plant.
        replace: 'idempotencyKey: `${request.idempotency_key}-${performance.now()}`',
      },
    ],
  },
  {
    name: 'places an order again under another reference',
    seed: 2,
    changes: [
      {
        file: 'src/core/orders/place/order-requests.ts',
        find: "return await createOrder(accountId, attempt, 0, 'person')",
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
]
