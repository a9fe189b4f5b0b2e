import sellers from '../../../resources/demo/sellers.json' with { type: 'json' }
import type { SeedBuilder } from '../../domain/ports/seeding.ts'
import { DAY_MS } from '../../api/time.ts'

/** The accounts of the demo data, by id. */
export interface DemoAccounts {
  partner: string
  seller: string
  competitors: string[]
  /** Other partners, who buy from the demo seller. */
  buyers: string[]
}

/** Creates every account of the demo data. */
export const openAccounts = (world: SeedBuilder): DemoAccounts => {
  const { now } = world
  return {
    partner: world.partner({
      name: sellers.demoPartner,
      email: 'orders@northgate.example',
      createdAt: now - 120 * DAY_MS,
    }).id,
    seller: world.seller({ name: sellers.demoSeller, createdAt: now - 210 * DAY_MS }).id,
    competitors: sellers.competitors.map(
      (name, index) => world.seller({ name, createdAt: now - (300 + index * 67) * DAY_MS }).id,
    ),
    buyers: sellers.buyers.map(
      (name, index) =>
        world.partner({
          name,
          perOrderLimit: null,
          dailyLimit: null,
          createdAt: now - (150 + index * 41) * DAY_MS,
        }).id,
    ),
  }
}
