/**
 * Scenes without other load: days that pass, states that are saved and restored, the reset to the
 * first state.
 */
import { requireKnown } from './book.ts'
import { advance } from './dashboard.ts'
import { type MakeOperation, pick } from './operation.ts'
import { unlessRefused } from './service.ts'
import { untilFinal } from './truth.ts'
import { failDeliveries, type World } from './world.ts'

const DAY = 86_400_000
const SAVED = ['one', 'two'] as const

/** Longer than the time limit of a customer's dispute, or than a claim window. */
export const days: MakeOperation = (world, below) =>
  advance((below(2) === 0 ? 3 : 8) * DAY + 60_000)(world, below)

async function timeOf(world: World, name: string): Promise<string | undefined> {
  return (await world.service.dashboard.listSnapshots({})).body.results.find(
    (snapshot) => snapshot.name === name,
  )?.createdAt
}

/**
 * Saves the state under one of a few names, so that most saves replace another. Nothing is in
 * progress: a restored state would repeat it.
 */
export const save: MakeOperation = (world, below) => {
  const name = pick(SAVED, below) ?? SAVED[0]
  const note = (createdAt: string): void =>
    void world.saved.set(name, { book: structuredClone(world.book), createdAt })
  return {
    about: `snapshot ${name}`,
    async send() {
      await untilFinal(world)
      note((await world.service.dashboard.createSnapshot({ body: { name } })).body.createdAt)
    },
    // The snapshot of this name is completely the new state, or the previous one.
    async settle() {
      const createdAt = await timeOf(world, name)
      const before = world.saved.get(name)
      if (createdAt !== undefined && createdAt !== before?.createdAt) note(createdAt)
      if (createdAt === undefined && before !== undefined)
        world.findings.lost(`snapshot ${name} is gone`)
    },
  }
}

/**
 * Restores a saved state. A product created just before shows afterwards which of the two states is
 * current.
 */
export const restore: MakeOperation = (world, below) => {
  const name = pick([...world.saved.keys()], below)
  if (name === undefined) return save(world, below)
  const { dashboard } = world.service
  const id = `marker-${world.serial()}`
  const back = async (): Promise<void> => {
    world.book = structuredClone(requireKnown(world.saved, name).book)
    // A snapshot from before a reset has other products.
    await failDeliveries(world)
  }
  return {
    about: `restoring ${name}`,
    replacesState: true,
    async send() {
      const marker = await dashboard.createProduct({
        body: {
          id,
          name: 'Marker',
          platform: 'Steam',
          region: 'Global',
          productType: 'game',
          deliveryType: 'key',
        },
      })
      world.book.products.set(marker.body.id, 'Marker')
      await dashboard.restoreSnapshot({ params: { name } })
      await back()
    },
    async settle() {
      if (!world.book.products.has(id)) return
      const marker = await unlessRefused(
        world.service.dashboard.changeProduct({ params: { id }, body: { name: 'Marker' } }),
        ['NOT_FOUND'],
      )
      if (marker === null) await back()
    },
  }
}

/**
 * Resets to the first state; afterwards all of the old state is there or nothing. `emptied` is
 * called in the second case.
 */
export const reset =
  (emptied: () => void): MakeOperation =>
  (world, below) => {
    const [first] = world.book.accounts.partners
    const seed = below(2) === 0 ? ('demo' as const) : ('empty' as const)
    return {
      about: 'the reset',
      async send() {
        await world.service.dashboard.reset({ body: { seed } })
        emptied()
      },
      async settle() {
        const there = await unlessRefused(
          world.service.dashboard.getPartner({ params: { id: first?.id ?? '' } }),
          ['NOT_FOUND'],
        )
        if (there === null) emptied()
      },
    }
  }
