import { afterAll, describe, expect, it } from 'vitest'
import { type RawService, rawShop, refused, send, startRaw } from '../testing/raw-service.ts'

const service = await startRaw({ limits: true })
const shop = rawShop(service)
afterAll(() => service.stop())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const envelope = {
  page: 1,
  limit: 50,
  total: expect.any(Number),
  totalPages: expect.any(Number),
  hasMore: expect.any(Boolean),
  results: expect.any(Array),
}
const ask: RawService['dashboard'] = (...given) => service.dashboard(...given)

describe('every call', () => {
  it('refuses unknown query parameters', async () => {
    for (const path of ['/partners?pagee=1', '/clock?x=1'])
      expect(refused(await ask('GET', path)).slice(0, 2)).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('needs the token of the ready line; a refusal has the Error body of the APIs', async () => {
    const { key } = await shop.partner()
    for (const token of [null, 'nonsense', `${service.ready.dashboardToken}x`, key]) {
      for (const path of ['/clock', '/nowhere']) {
        const answer = await send(service.origin, token, 'GET', `/dashboard${path}`)
        expect([answer.status, answer.body]).toEqual([
          401,
          {
            error: {
              code: 'UNAUTHORIZED',
              message: expect.any(String),
              requestId: answer.headers.get('x-request-id'),
            },
          },
        ])
      }
    }
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['PUT', '/partners'],
      ['DELETE', '/clock'],
      ['GET', '/partners/none'],
      ['PATCH', '/sellers/none'],
      ['PATCH', '/products/none'],
    ] as const) {
      expect(refused(await ask(method, path, method === 'PATCH' ? {} : undefined)), path).toEqual([
        404,
        'NOT_FOUND',
      ])
    }
    for (const body of ['{', 'null', '[]', '"x"', undefined])
      expect(refused(await ask('POST', '/partners', body)).slice(0, 2), String(body)).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
  })

  it('has no rate limit', async () => {
    const answers = await Promise.all(Array.from({ length: 120 }, () => ask('GET', '/clock')))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  })
})

describe('lists of the dashboard interface', () => {
  it('have the envelope, its bounds, and every row once', async () => {
    const { id } = (await ask('POST', '/partners', { name: 'Lister', email: 'l@lister.example' }))
      .body
    for (let i = 0; i < 5; i += 1)
      await ask('POST', `/partners/${id}/top-ups`, { mode: 'test', amount: 1 + i })
    for (let i = 0; i < 3; i += 1) await ask('POST', '/sellers', { name: `S ${i}` })
    await ask('PUT', `/partners/${id}/webhook`, { url: 'http://127.0.0.1:9/' })
    for (let i = 0; i < 3; i += 1)
      await ask('POST', `/partners/${id}/webhook/test`, { mode: 'test' })
    for (const path of [
      '/partners',
      '/sellers',
      '/disputes',
      '/requests',
      `/partners/${id}/emails`,
      `/partners/${id}/ledger`,
      `/partners/${id}/webhook/deliveries`,
    ]) {
      const { body } = await ask('GET', path)
      expect(body, path).toEqual(envelope)
      for (const query of ['limit=0', 'limit=101', 'page=0', 'page=x', 'limit=1&limit=2'])
        expect(refused(await ask('GET', `${path}?${query}`)), `${path}?${query}`).toEqual([
          400,
          'VALIDATION_ERROR',
          query.split('=')[0],
        ])
      const pages = await Promise.all(
        Array.from(
          { length: Math.ceil(Math.min(body.total, 20) / 2) },
          async (_, page) => (await ask('GET', `${path}?limit=2&page=${page + 1}`)).body,
        ),
      )
      expect(
        pages.flatMap(({ results }) => results),
        path,
      ).toEqual(path === '/requests' ? expect.any(Array) : body.results.slice(0, pages.length * 2))
      expect((await ask('GET', `${path}?page=9999&limit=100`)).body, path).toMatchObject({
        page: 9999,
        hasMore: false,
        results: [],
      })
    }
  })
})

describe('products', () => {
  it('need name, platform, region and both types, and accept every field except price, stock and dates', async () => {
    expect(refused(await ask('POST', '/products', {})).slice(2)).toEqual([
      'name',
      'platform',
      'region',
      'productType',
      'deliveryType',
    ])
    const given = {
      name: 'Whole',
      platform: 'Steam',
      region: 'EU',
      productType: 'dlc',
      deliveryType: 'gift',
      activation: {
        excludedCountries: ['US'],
        allowedCountryCount: 12,
      },
      description: 'D',
      activationDetails: 'A',
      languages: ['en'],
      genres: ['g'],
      developer: 'Dev',
      publisher: 'Pub',
      releaseDate: '2020-02-29',
      ageRating: '18',
      coverImage: 'https://a.example/c.png',
      screenshots: ['https://a.example/s.png'],
      systemRequirements: [
        {
          system: 'PC',
          requirement: ['8 GB'],
        },
      ],
      url: 'https://a.example/',
    }
    const answer = await ask('POST', '/products', { ...given, price: 5, qty: 7 })
    expect([answer.status, answer.body]).toEqual([
      201,
      expect.objectContaining({ ...given, price: 0, inStock: false, qty: 0 }),
    ])
    for (const releaseDate of [
      'soon',
      '2020-13-45',
      '2023-02-29',
      '2020-1-1',
      '2020-01-01T00:00:00Z',
    ]) {
      expect(
        refused(
          await ask('POST', '/products', { ...given, releaseDate, productType: 'toy' }),
        ).toSorted(),
        releaseDate,
      ).toEqual([400, 'VALIDATION_ERROR', 'productType', 'releaseDate'].toSorted())
    }
  })

  it('change, are removed and come back; with supplyUnknown their qty is null', async () => {
    const { call } = await shop.partner()
    const id = await shop.product()
    await shop.offer(await shop.seller(), id, 1, ['s'])
    expect(
      (await ask('PATCH', `/products/${id}`, { name: 'Renamed', description: 'x' })).body,
    ).toMatchObject({ id, name: 'Renamed', description: 'x', qty: 1 })
    expect((await ask('PATCH', `/products/${id}`, { supplyUnknown: true })).body).toMatchObject({
      qty: null,
      inStock: true,
    })
    expect((await ask('PATCH', `/products/${id}`, { supplyUnknown: false })).body.qty).toBe(1)
    expect(await ask('PATCH', `/products/${id}`, { removed: true })).toMatchObject({
      status: 200,
      body: { id },
    })
    expect(refused(await call('GET', `/products/${id}`))).toEqual([404, 'NOT_FOUND'])
    await ask('PATCH', `/products/${id}`, { removed: false })
    expect((await call('GET', `/products/${id}`)).body).toMatchObject({
      name: 'Renamed',
      price: 1.1,
    })
  })
})

describe('claims', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 7]).toString('base64')

  it('return 201 with the dispute; once per key, within 7 days, and not for test orders', async () => {
    const [seller, partner] = [await shop.seller(), await shop.partner()]
    const productId = await shop.product()
    await shop.offer(seller, productId, 1, ['c-1', 'c-2', 'c-3'])
    const { id: orderId, keys } = await shop.buy(partner, productId, 2)
    const claim = (index: number, more: object = {}) =>
      ask('POST', '/claims', { orderId, keyId: keys[index]?.id, message: 'No.', ...more })
    const answer = await claim(0, { screenshot: png })
    expect([answer.status, answer.body]).toEqual([
      201,
      { disputeId: expect.stringMatching(/^dsp_/) },
    ])
    expect((await seller.call('GET', `/disputes/${answer.body.disputeId}`)).body).toMatchObject({
      reason: 'No.',
      messages: [
        {
          author: 'customer',
          body: 'No.',
          attachments: [{ contentType: 'image/png', value: png }],
        },
      ],
    })
    expect(refused(await claim(0))).toEqual([409, 'CLAIM_EXISTS'])
    for (const [body, field] of [
      [{ message: ' ' }, 'message'],
      [{ screenshot: 'aGVsbG8=' }, 'screenshot'],
      [{ screenshot: '%' }, 'screenshot'],
    ] as const)
      expect(refused(await claim(1, body))).toEqual([400, 'VALIDATION_ERROR', field])
    for (const body of [{ orderId: 'ord_none' }, { keyId: 'key_none' }])
      expect(refused(await claim(1, body))).toEqual([404, 'NOT_FOUND'])
    const tester = await shop.partner({}, { mode: 'test' })
    const tested = await shop.buy(tester, productId)
    expect(
      refused(
        await ask('POST', '/claims', {
          orderId: tested.id,
          keyId: tested.keys[0]?.id,
          message: 'No.',
        }),
      ).slice(0, 2),
    ).toEqual([400, 'VALIDATION_ERROR'])
    await shop.advance(7 * 86_400_000)
    expect(refused(await claim(1))).toEqual([422, 'CLAIM_WINDOW_CLOSED'])
  })

  it('accept messages from the customer and support: 201 and the message', async () => {
    const seller = await shop.seller()
    const productId = await shop.product()
    await shop.offer(seller, productId, 1, ['m-1'])
    const { id: orderId, keys } = await shop.buy(await shop.partner(), productId)
    const id = await shop.claim(orderId, keys[0]?.id)
    for (const author of ['customer', 'support']) {
      const answer = await ask('POST', `/disputes/${id}/messages`, { author, body: 'Hello?' })
      expect([answer.status, answer.body]).toEqual([
        201,
        { id: expect.any(String), author, body: 'Hello?', createdAt: instant, attachments: [] },
      ])
    }
    for (const body of [
      { author: 'seller', body: 'x' },
      { body: 'x' },
      { author: 'customer', body: '' },
    ])
      expect(refused(await ask('POST', `/disputes/${id}/messages`, body)).slice(0, 2)).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
    const wordy = await ask('POST', `/disputes/${id}/reject`, { reason: 'x'.repeat(2001) })
    expect(wordy.body.error.details).toEqual([
      { field: 'reason', message: 'must have at most 2000 characters' },
    ])
    for (const path of ['messages', 'escalate', 'reject'])
      expect(
        refused(await ask('POST', `/disputes/none/${path}`, { author: 'support', body: 'x' })),
      ).toEqual([404, 'NOT_FOUND'])
    expect((await ask('GET', '/disputes?limit=1')).body.results[0]).toMatchObject({
      id,
      orderId,
      status: 'open',
    })
  })
})

describe('webhook endpoints', () => {
  it('are https, or http on this computer; each PUT shows a new secret once', async () => {
    const { id } = (await ask('POST', '/partners', { name: 'Hooked' })).body
    for (const method of ['GET', 'DELETE'])
      expect(refused(await ask(method, `/partners/${id}/webhook`))).toEqual([404, 'NOT_FOUND'])
    expect(
      refused(await ask('POST', `/partners/${id}/webhook/test`, { mode: 'live' })).slice(0, 2),
    ).toEqual([400, 'VALIDATION_ERROR'])
    const first = await ask('PUT', `/partners/${id}/webhook`, { url: 'https://shop.example/hook' })
    expect([first.status, first.body]).toEqual([
      200,
      { url: 'https://shop.example/hook', secret: expect.stringMatching(/^whsec_\S{20,}$/) },
    ])
    const second = (await ask('PUT', `/partners/${id}/webhook`, { url: 'http://127.0.0.1:9/' }))
      .body
    expect(second.secret).not.toBe(first.body.secret)
    const shown = await ask('GET', `/partners/${id}/webhook`)
    expect(shown).toMatchObject({ status: 200, body: { url: 'http://127.0.0.1:9/' } })
    expect(shown.text).not.toContain('whsec_')
    for (const url of [
      'http://shop.example/',
      'ftp://127.0.0.1/',
      'nonsense',
      'https://10.1.2.3/',
      undefined,
    ])
      expect(
        refused(await ask('PUT', `/partners/${id}/webhook`, { url })).slice(0, 2),
        url,
      ).toEqual([400, 'VALIDATION_ERROR'])
    expect((await ask('DELETE', `/partners/${id}/webhook`)).status).toBe(204)
    expect(refused(await ask('GET', `/partners/${id}/webhook`))).toEqual([404, 'NOT_FOUND'])
  })

  it('list each delivery with its attempts, and send one again under its own id', async () => {
    const { id } = (await ask('POST', '/partners', { name: 'Told' })).body
    await ask('PUT', `/partners/${id}/webhook`, { url: 'http://127.0.0.1:9/' })
    const queued = await ask('POST', `/partners/${id}/webhook/test`, { mode: 'live' })
    expect([queued.status, queued.body]).toEqual([
      202,
      { deliveryId: expect.any(String), eventId: expect.any(String) },
    ])
    const deliveries = async () =>
      (await ask('GET', `/partners/${id}/webhook/deliveries`)).body.results
    await expect
      .poll(async () => (await deliveries())[0].attempts.length, { timeout: 15_000 })
      .toBe(1)
    expect(await deliveries()).toEqual([
      {
        id: queued.body.deliveryId,
        eventId: queued.body.eventId,
        event: 'webhook.test',
        status: 'pending',
        nextAttemptAt: instant,
        attempts: [
          {
            at: instant,
            status: null,
            error: expect.any(String),
            durationMs: expect.any(Number),
          },
        ],
      },
    ])
    await shop.advance(200_000_000)
    expect(await deliveries()).toMatchObject([
      { status: 'failed', nextAttemptAt: null, attempts: { length: 12 } },
    ])
    const again = await ask(
      'POST',
      `/partners/${id}/webhook/deliveries/${queued.body.deliveryId}/resend`,
    )
    expect([again.status, again.body]).toEqual([
      202,
      { deliveryId: queued.body.deliveryId, eventId: queued.body.eventId },
    ])
    expect(refused(await ask('POST', `/partners/${id}/webhook/deliveries/none/resend`))).toEqual([
      404,
      'NOT_FOUND',
    ])
  })
})
