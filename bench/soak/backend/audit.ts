/**
 * The final audit of a world: every uploaded key is in exactly one place, and every saved state is
 * restored completely.
 */
import { download } from './buyer.ts'
import { checkTruth } from './truth.ts'
import { attach, type World } from './world.ts'
import { everyRow } from './service.ts'
import type { Ready } from '../../../server/sandbox-types.ts'

async function checkSaved(world: World, ready: Ready): Promise<void> {
  const listed = (await world.service.dashboard.listSnapshots({})).body.results
  for (const { name } of listed) {
    const saved = world.saved.get(name)
    if (saved === undefined) {
      world.findings.wrong(`snapshot ${name} exists but was never acknowledged`)
      continue
    }
    await world.service.dashboard.restoreSnapshot({ params: { name } })
    world.book = structuredClone(saved.book)
    await attach(world, ready)
    await checkTruth(world)
  }
  for (const name of world.saved.keys())
    if (!listed.some((snapshot) => snapshot.name === name))
      world.findings.lost(`snapshot ${name} is gone`)
}

/** The location of each key: delivered, withdrawn earlier, or withdrawn now. */
async function checkKeys(world: World): Promise<void> {
  const { book, findings } = world
  for (const { id, partner, mode } of book.orders.values())
    if (mode === 'live') await download(world, partner, mode, id)
  const live = [...book.orders.values()].filter(({ mode }) => mode === 'live')
  const places = [
    ...live.flatMap(({ id }) => [...(book.downloads.get(id)?.values() ?? [])]),
    ...[...book.withdrawn.values()].flatMap((values) => [...values]),
  ]
  for (const [index, { offers }] of book.accounts.sellers.entries()) {
    const client = world.service.seller(index)
    const stock = new Map(
      (await everyRow((query) => client.listOffers({ query }))).map((offer) => [
        offer.id,
        offer.stock,
      ]),
    )
    for (const { id } of offers) {
      if ((stock.get(id) ?? 0) === 0) continue
      places.push(...(await client.withdrawKeys({ params: { id }, body: {} })).body.keys)
    }
  }
  const counts = new Map<string, number>()
  for (const value of places) counts.set(value, (counts.get(value) ?? 0) + 1)
  const expected = new Set(
    [...book.uploaded.values()]
      .flatMap((values) => [...values])
      .concat([...book.typedReplacements]),
  )
  for (const [value, count] of counts) {
    if (count > 1) findings.twice(`key ${value.slice(0, 20)} is in ${count} places`)
    if (!expected.has(value)) findings.wrong(`key ${value.slice(0, 20)} was never uploaded`)
  }
  for (const value of expected)
    if (!counts.has(value)) findings.lost(`key ${value.slice(0, 20)} is nowhere`)
}

/** Removes everything from the world, which can't be used afterwards. */
export async function audit(world: World, ready: Ready): Promise<void> {
  await checkKeys(world)
  await checkSaved(world, ready)
}
