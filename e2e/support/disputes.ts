/** Access to the service as its dashboard, a seller and a partner. */
type ServiceAccess = {
  dashboard(method: string, path: string, body?: unknown): Promise<unknown>
  seller(key: string, method: string, path: string, body?: unknown): Promise<unknown>
  partner(key: string, method: string, path: string, body?: unknown): Promise<unknown>
  issueKey(role: 'partners'): Promise<{ key: string }>
}

const messages = [
  'It says this code has already been used. I tried twice.',
  'Der Code ist ungültig, ich habe jedes Zeichen geprüft und er geht nicht.',
  'Region error: not available in my country.',
  'Le code est refusé : déjà utilisé. Je viens de le recevoir et je ne comprends pas.',
  'This is not what I ordered, the edition is wrong.',
] as const

/** Creates a product for the seller with an empty offer. */
export async function createOffer(
  service: ServiceAccess,
  sellerKey: string,
  name = 'Ironwharf 3',
): Promise<{ productId: string; offerId: string }> {
  const { id: productId } = (await service.dashboard('POST', '/products', {
    name,
    platform: 'Steam',
    region: 'Global',
    productType: 'game',
    deliveryType: 'key',
  })) as { id: string }
  const { offer } = (await service.seller(sellerKey, 'POST', '/offers', {
    productId,
    price: 4,
  })) as { offer: { id: string } }
  return { productId, offerId: offer.id }
}

/** Sells one of two keys of a new product, Quarry of Glass, and claims it. Returns the dispute's id. */
export async function claimNew(
  service: ServiceAccess,
  sellerKey: string,
  message: string,
): Promise<string> {
  const { productId, offerId } = await createOffer(service, sellerKey, 'Quarry of Glass')
  await service.seller(sellerKey, 'POST', `/offers/${offerId}/keys`, {
    keys: ['SOLDK-10000-WHARF', 'SOLDK-10001-WHARF'],
  })
  const [id] = await claimSome(service, productId, 1, () => ({ message }))
  if (id === undefined) throw new Error('no dispute')
  return id
}

/** Sells this many keys of a product and claims all of them. Returns the disputes. */
export async function claimSome(
  service: ServiceAccess,
  productId: string,
  count: number,
  says: (index: number) => { message: string; screenshot?: string } = (index) => ({
    message: messages[index % messages.length] ?? '',
  }),
): Promise<Set<string>> {
  const partner = await service.issueKey('partners')
  // An order line allows at most nine units.
  const items = Array.from({ length: Math.ceil(count / 9) }, (_, line) => ({
    productId,
    qty: Math.min(9, count - line * 9),
    maxUnitPrice: 10,
  }))
  const order = (await service.partner(partner.key, 'POST', '/orders?wait=10', {
    externalId: `claimed-${productId}`,
    items,
  })) as { id: string }
  const { keys: bought } = (await service.partner(
    partner.key,
    'GET',
    `/orders/${order.id}/keys`,
  )) as { keys: { id: string }[] }
  const disputes = new Set<string>()
  for (const [index, { id: keyId }] of bought.entries()) {
    const { disputeId } = (await service.dashboard('POST', '/claims', {
      orderId: order.id,
      keyId,
      ...says(index),
    })) as { disputeId: string }
    disputes.add(disputeId)
  }
  return disputes
}

/** The same with the seller's own product; further keys stay in stock. */
export async function claimAll(
  service: ServiceAccess,
  sellerKey: string,
  count: number,
  says?: Parameters<typeof claimSome>[3],
): Promise<Set<string>> {
  const { productId, offerId } = await createOffer(service, sellerKey)
  await service.seller(sellerKey, 'POST', `/offers/${offerId}/keys`, {
    keys: Array.from({ length: count * 2 }, (_, index) => `SOLDK-${String(10_000 + index)}-WHARF`),
  })
  return claimSome(service, productId, count, says)
}
