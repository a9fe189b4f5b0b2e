/** The bundled service in the state that the probes expect. */
import path from 'node:path'
import { cents } from '../../server/api/money.ts'
import { type Service, startService } from '../backend/service.ts'
import { BALANCE, type Controls, type Double, type Product, type Shelf } from './double.ts'

type Partner = { readonly id: string; readonly key: string; readonly testKey: string }

async function stockShelf({ dashboard, client, ready }: Service, key: string): Promise<Shelf> {
  const owner = await dashboard.createSeller({ body: { name: 'Supplier' } })
  const owned = await dashboard.createSellerKey({ params: { id: owner.body.id }, body: {} })
  const seller = client(owned.body.key)
  async function product(name: string, units: number, euros: number): Promise<Product> {
    const { body } = await dashboard.createProduct({
      body: { name, platform: 'Steam', region: 'Global', productType: 'game', deliveryType: 'key' },
    })
    const offer = await seller.saveOffer({
      body: { productId: body.id, price: cents(euros * 100) },
    })
    await seller.uploadKeys({
      params: { id: offer.body.offer.id },
      body: { keys: Array.from({ length: units }, (_, at) => `${name}-${at}`) },
    })
    const answer = await fetch(`${ready.baseUrl}/products/${body.id}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return { id: body.id, price: ((await answer.json()) as { price: number }).price }
  }
  const broken = await product('Broken', 50, 2)
  await dashboard.putFaults({
    body: [{ deliver: { productId: broken.id, failUnits: Number.MAX_SAFE_INTEGER } }],
  })
  return {
    plenty: await product('Plenty', 100, 2),
    scarce: await product('Scarce', 1, 2),
    dear: await product('Dear', 5, 150),
    broken,
  }
}

async function addPartner({ dashboard }: Service): Promise<Partner> {
  const partner = await dashboard.createPartner({
    body: { name: 'Shop', perOrderLimit: null, dailyLimit: null },
  })
  const params = { id: partner.body.id }
  const issued = async (mode: 'live' | 'test'): Promise<string> => {
    await dashboard.createTopUp({ params, body: { mode, amount: cents(BALANCE * 100) } })
    return (await dashboard.createPartnerKey({ params, body: { mode } })).body.key
  }
  return { id: params.id, key: await issued('live'), testKey: await issued('test') }
}

function controlsOf({ dashboard, ready }: Service, { id }: Partner): Controls {
  return {
    async claim(orderId, keyId) {
      const { status } = await fetch(`${ready.dashboardUrl}/claims`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ready.dashboardToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ orderId, keyId, message: 'The key is already used.' }),
      })
      return status
    },
    async advance(ms) {
      await dashboard.advanceClock({ body: { ms } })
    },
    async resend() {
      const { results } = (await dashboard.listDeliveries({ params: { id }, query: {} })).body
      const oldest = results.at(-1)
      if (oldest !== undefined)
        await dashboard.resendDelivery({ params: { id, deliveryId: oldest.id } })
    },
  }
}

export const keydesk: Double = {
  name: 'Keydesk',
  how: 'the bundled service with a partner, a supplier and four products, created by its dashboard',
  async start(folder, _document, receiver) {
    // The handlers of all bugs read every order, which one shop wouldn't do.
    const limits = receiver === null ? [] : ['--no-limits']
    const service = await startService(path.join(folder, 'keydesk'), '--seed', 'empty', ...limits)
    const partner = await addPartner(service)
    if (receiver !== null) {
      const { url } = receiver
      const { body } = await service.dashboard.putWebhook({
        params: { id: partner.id },
        body: { url },
      })
      receiver.useSecret(body.secret)
    }
    return {
      ...partner,
      baseUrl: service.ready.baseUrl,
      shelf: await stockShelf(service, partner.key),
      controls: controlsOf(service, partner),
      announced: [],
      stop: () => service.running.stop(),
    }
  },
}
