/** A page of code for emulate: orders, stock, a balance and signed events of the partner API. */
import { createHmac } from 'node:crypto'

type Line = { productId: string; qty: number; maxUnitPrice: number }
type Body = { externalId: string; items: Line[] }
type Order = { id: string; externalId: string; mode: string; status: string; units: string[] }
type Call = {
  req: {
    json(): Promise<Body>
    text(): Promise<string>
    header(name: string): string | undefined
    param(name: string): string
    query(name: string): string | undefined
  }
  json(body: unknown, status?: number): unknown
}
type Route = (path: string, answer: (call: Call) => unknown) => void
type State = {
  balance: number
  shelf: Record<string, { price: number; stock: number; fails: boolean }>
  orders: Order[]
  first: Record<string, { text: string; order: Order }>
}

/** @param receiver the address that gets the events, and the secret that signs them */
export const partnerApi = (state: State, receiver: { url: string; secret: string } | null) => ({
  name: 'partner',
  state: () => state,
  setup({ app, state: now }: { app: { get: Route; post: Route }; state: State }) {
    const refuse = (call: Call, status: number, code: string, details = {}): unknown =>
      call.json({ error: { code, message: code, details, requestId: 'req_1' } }, status)
    async function announce(event: string, mode: string, data: unknown): Promise<void> {
      if (receiver === null) return
      const id = crypto.randomUUID()
      const body = JSON.stringify({ id, event, mode, createdAt: new Date().toISOString(), data })
      const t = Math.floor(Date.now() / 1000)
      const v1 = createHmac('sha256', receiver.secret).update(`${t}.${body}`).digest('hex')
      const headers = { 'X-SVC-Event': event, 'X-SVC-Delivery': id, 'X-SVC-Signature': '' }
      headers['X-SVC-Signature'] = `t=${t},v1=${v1}`
      await fetch(receiver.url, { method: 'POST', headers, body }).catch(() => null)
    }
    app.post('/orders', async (call) => {
      const [text, key] = [await call.req.text(), call.req.header('idempotency-key') ?? '']
      const known = now.first[key]
      if (known?.text === text) return call.json(known.order, 201)
      if (known !== undefined) return refuse(call, 409, 'IDEMPOTENCY_CONFLICT')
      const { externalId, items } = JSON.parse(text) as Body
      const lines = items.map((line) => ({ ...line, shelf: now.shelf[line.productId] }))
      const total = lines.reduce((sum, { qty, shelf }) => sum + qty * (shelf?.price ?? 0), 0)
      for (const { qty, shelf } of lines)
        if (qty > (shelf?.stock ?? 0)) return refuse(call, 409, 'OUT_OF_STOCK')
      for (const { maxUnitPrice, shelf } of lines)
        if (maxUnitPrice < (shelf?.price ?? 0))
          return refuse(call, 409, 'PRICE_CHANGED', { currentPrice: shelf?.price })
      if (total > now.balance) return refuse(call, 402, 'INSUFFICIENT_BALANCE')
      const sold = lines.filter(({ shelf }) => shelf?.fails === false)
      const mode = call.req.header('authorization')?.includes('svc_test') ? 'test' : 'live'
      const units = sold.flatMap(({ qty }) =>
        Array.from({ length: qty }, () => crypto.randomUUID()),
      )
      const status = sold.length === lines.length ? 'completed' : 'partially_completed'
      const order = { id: crypto.randomUUID(), externalId, mode, status, total, units }
      for (const { qty, shelf } of sold)
        if (shelf) [now.balance, shelf.stock] = [now.balance - qty * shelf.price, shelf.stock - qty]
      now.orders.push(order)
      if (key !== '') now.first[key] = { text, order }
      void announce(`order.${status}`, mode, order)
      return call.json(order, 201)
    })
    const found = (call: Call) => now.orders.find(({ id }) => id === call.req.param('id'))
    app.get('/orders/:id', (call) => call.json(found(call) ?? {}, found(call) ? 200 : 404))
    app.get('/orders/:id/keys', (call) =>
      call.json({ keys: found(call)?.units.map((id) => ({ id, line: 1, value: id })) ?? [] }),
    )
    app.get('/orders', (call) => {
      const results = now.orders.filter((one) => one.externalId === call.req.query('externalId'))
      return call.json({ page: 1, total: results.length, results })
    })
    app.get('/balance', (call) => call.json({ balance: now.balance, currency: 'EUR' }))
    app.post('/webhooks/test', (call) => {
      void announce('webhook.test', 'live', { message: 'Test' })
      return call.json({ queued: true }, 202)
    })
  },
})
