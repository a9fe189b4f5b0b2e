import { inCents } from '../sync/truth.ts'

type Wire = { id: string; externalId: string; status: string; total: number; refunded: number }

/** The service's own data: orders of references, and the balance, in cents. */
export function serviceOf(baseUrl: string, key: string) {
  const ask = async (path: string): Promise<unknown> => {
    for (;;) {
      const answer = await fetch(`${baseUrl}${path}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      if (answer.ok) return answer.json()
      if (answer.status !== 429 && answer.status < 500) throw new Error(`${path}: ${answer.status}`)
      await new Promise((resolve) => {
        setTimeout(resolve, 100)
      })
    }
  }
  return {
    async balanceCents(): Promise<number> {
      return inCents(((await ask('/balance')) as { balance: number }).balance) ?? 0
    },
    /** Every order, by its reference. */
    async orders(): Promise<
      Map<string, { orderId: string; status: string; totalCents: number; refundedCents: number }[]>
    > {
      const found = new Map<
        string,
        { orderId: string; status: string; totalCents: number; refundedCents: number }[]
      >()
      for (let page = 1; ; page += 1) {
        const { results } = (await ask(`/orders?limit=100&page=${page}`)) as { results: Wire[] }
        for (const { id, externalId, status, total, refunded } of results) {
          found.set(externalId, [
            ...(found.get(externalId) ?? []),
            {
              orderId: id,
              status,
              totalCents: inCents(total) ?? 0,
              refundedCents: inCents(refunded) ?? 0,
            },
          ])
        }
        if (results.length < 100) return found
      }
    },
  }
}
